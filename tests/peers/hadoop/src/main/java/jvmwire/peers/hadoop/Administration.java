package jvmwire.peers.hadoop;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSInotifyEventInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.security.RefreshUserMappingsProtocol;
import org.apache.hadoop.tools.GetUserMappingsProtocol;

/** What only the superuser does. */
final class Administration {
  private static final Path ADMIN = new Path("/admin");
  private static final String ERASURE_POLICY = "XOR-2-1-1024k";

  private Administration() {}

  static void makeHomes(DistributedFileSystem fs) throws IOException {
    for (String user : new String[] {"alice", "bob"}) {
      Path home = new Path("/user/" + user);
      fs.mkdirs(home);
      fs.setOwner(home, user, "analysts");
    }
    Path data = new Path("/data");
    fs.mkdirs(data);
    fs.setPermission(data, new FsPermission((short) 0777));
    fs.mkdirs(ADMIN, new FsPermission((short) 0700));
  }

  static void work(DistributedFileSystem fs) throws Exception {
    DFSInotifyEventInputStream events = fs.getInotifyEventStream();
    quotas(fs);
    snapshots(fs);
    caches(fs);
    erasureCoding(fs);
    state(fs);
    blocks(fs);
    events.poll();
    otherProtocols(fs);
  }

  private static void quotas(DistributedFileSystem fs) throws IOException {
    Path limited = new Path(ADMIN, "limited");
    fs.mkdirs(limited);
    fs.setQuota(limited, 100, 1L << 30);
    fs.setQuotaByStorageType(limited, StorageType.SSD, 1L << 20);
    fs.getQuotaUsage(limited);
  }

  private static void snapshots(DistributedFileSystem fs) throws IOException {
    Path kept = new Path(ADMIN, "kept");
    fs.mkdirs(kept);
    fs.allowSnapshot(kept);
    fs.createSnapshot(kept, "before");
    FileWork.write(fs, new Path(kept, "new"), 10);
    fs.mkdirs(new Path(kept, "sub"));
    fs.createSnapshot(kept, "now");
    fs.renameSnapshot(kept, "now", "after");
    fs.getSnapshotDiffReport(kept, "before", "after");
    ClientProtocol nameNode = fs.getClient().getNamenode();
    nameNode.getSnapshotDiffReport(kept.toUri().getPath(), "before", "after");
    fs.getSnapshottableDirListing();
    fs.getSnapshotListing(kept);
    fs.deleteSnapshot(kept, "before");
    fs.deleteSnapshot(kept, "after");
    fs.disallowSnapshot(kept);
  }

  private static void caches(DistributedFileSystem fs) throws IOException {
    fs.addCachePool(new CachePoolInfo("hot").setMode(new FsPermission((short) 0755)));
    fs.modifyCachePool(new CachePoolInfo("hot").setLimit(1L << 20));
    FileWork.drain(fs.listCachePools());
    CacheDirectiveInfo.Builder directive = new CacheDirectiveInfo.Builder();
    directive.setPath(new Path(ADMIN, "kept/new")).setPool("hot").setReplication((short) 1);
    long id = fs.addCacheDirective(directive.build());
    fs.modifyCacheDirective(
        new CacheDirectiveInfo.Builder().setId(id).setReplication((short) 2).build());
    FileWork.drain(fs.listCacheDirectives(null));
    fs.removeCacheDirective(id);
    fs.removeCachePool("hot");
  }

  private static void erasureCoding(DistributedFileSystem fs) throws IOException {
    fs.getAllErasureCodingPolicies();
    fs.getAllErasureCodingCodecs();
    fs.enableErasureCodingPolicy(ERASURE_POLICY);
    fs.getECTopologyResultForPolicies(ERASURE_POLICY);
    Path coded = new Path(ADMIN, "coded");
    fs.mkdirs(coded);
    fs.setErasureCodingPolicy(coded, ERASURE_POLICY);
    fs.getErasureCodingPolicy(coded);
    fs.unsetErasureCodingPolicy(coded);
    fs.disableErasureCodingPolicy(ERASURE_POLICY);
  }

  private static void state(DistributedFileSystem fs) throws Exception {
    ClientProtocol nameNode = fs.getClient().getNamenode();
    fs.getStatus();
    fs.getMissingBlocksCount();
    nameNode.getReplicatedBlockStats();
    nameNode.getECBlockGroupStats();
    fs.getDataNodeStats(DatanodeReportType.LIVE);
    nameNode.getDatanodeStorageReport(DatanodeReportType.ALL);
    fs.getSlowDatanodeStats();
    fs.setSafeMode(SafeModeAction.GET);
    fs.rollEdits();
    fs.rollingUpgrade(RollingUpgradeAction.QUERY);
    fs.upgradeStatus();
    fs.finalizeUpgrade();
    fs.refreshNodes();
    fs.restoreFailedStorage("check");
    fs.setBalancerBandwidth(10 << 20);
    fs.metaSave("meta.txt");
    nameNode.listEncryptionZones(0);
    FileWork.drain(fs.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), "/"));
  }

  private static void blocks(DistributedFileSystem fs) throws Exception {
    Path bad = new Path(ADMIN, "bad");
    FileWork.write(fs, bad, 50);
    List<LocatedBlock> blocks = fs.getLocatedBlocks(bad, 0, 50).getLocatedBlocks();
    fs.getClient().getNamenode().reportBadBlocks(blocks.toArray(new LocatedBlock[0]));
    FileWork.drain(fs.listCorruptFileBlocks(ADMIN));
  }

  /** The same port serves more protocols than ClientProtocol. */
  private static void otherProtocols(DistributedFileSystem fs) throws IOException {
    proxy(fs, GetUserMappingsProtocol.class).getGroupsForUser("alice");
    proxy(fs, RefreshUserMappingsProtocol.class).refreshUserToGroupsMappings();
    NamenodeProtocol secondary = proxy(fs, NamenodeProtocol.class);
    secondary.versionRequest();
    secondary.getTransactionID();
    fs.msync();
  }

  private static <T> T proxy(DistributedFileSystem fs, Class<T> protocol) throws IOException {
    return NameNodeProxies.createProxy(fs.getConf(), fs.getUri(), protocol).getProxy();
  }
}
