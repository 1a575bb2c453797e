from reference.plain.pravega import *
