from benches.plain.pravega import *
