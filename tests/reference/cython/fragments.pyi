from reference.plain.fragments import *
