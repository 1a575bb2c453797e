from reference.plain.mutf8 import *
