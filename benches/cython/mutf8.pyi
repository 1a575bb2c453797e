from benches.plain.mutf8 import *
