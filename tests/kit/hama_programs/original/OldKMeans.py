"""Clustering of numbers, as users of the original runtime wrote such tasks."""

from BSP import BSP
from BSPPeer import BSPPeer


class OldKMeans(BSP):
    def setup(self, peer):
        assert isinstance(peer, BSPPeer)
        self.centres = [0.0, 100.0]
        self.max_iterations = int(peer.config.get("kmeans.max"))

    def bsp(self, peer):
        points = []
        pair = peer.readNext()
        while pair:
            points.append(float(pair[1]))
            pair = peer.readNext()
        while peer.getSuperstepCount() < self.max_iterations:
            for point in points:
                nearest = min((0, 1), key=lambda index: abs(point - self.centres[index]))
                for name in peer.getAllPeerNames():
                    peer.send(name, str(nearest) + " " + str(point))
            peer.sync()
            members = [[], []]
            for message in peer.getAllMessages():
                nearest, point = message.split(" ")
                members[int(nearest)].append(float(point))
            self.centres = [sum(points_of) / len(points_of) for points_of in members]

    def cleanup(self, peer):
        if int(peer.getPeerIndex()) == 0:
            peer.write("centres", [round(centre, 3) for centre in self.centres])
