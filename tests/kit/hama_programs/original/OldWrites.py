"""Task of the original runtime that writes line ends by hand."""

from BSP import BSP


class OldWrites(BSP):
    def bsp(self, peer):
        peer.write("\n", "a\u2028b")
        peer.write("a\nb", "c\r\n")
