from benches.plain.varint import *
