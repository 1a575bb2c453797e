from benches.plain.fragments import *
