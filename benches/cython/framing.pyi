from benches.plain.framing import *
