"""NameNode client, one module per subject: files, attributes, snapshots, the cluster, traversal."""
