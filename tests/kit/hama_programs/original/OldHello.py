"""Task as users of the original runtime wrote them."""

from BSP import BSP


class OldHello(BSP):
    def bsp(self, peer):
        peer.log("I am " + peer.getPeerName() + ", number " + peer.getPeerIndex())
        for _ in range(3):
            for name in peer.getAllPeerNames():
                peer.send(name, "hello from " + peer.getPeerIndex())
            peer.sync()
            assert int(peer.getNumCurrentMessages()) == int(peer.getNumPeers())
            message = peer.getCurrentMessage()
            while message is not False:
                peer.write(peer.getSuperstepCount(), message)
                message = peer.getCurrentMessage()
