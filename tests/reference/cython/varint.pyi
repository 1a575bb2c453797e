from reference.plain.varint import *
