"""A NameNode's client, by what is asked: files, attributes, snapshots, the cluster, trees."""
