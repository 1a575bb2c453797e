from reference.plain.framing import *
