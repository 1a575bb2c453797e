package jvmwire.peers.hadoop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Calls that a NameNode answers with an error, of as many kinds as there are. */
final class Refusals {
  private static final GetFileInfoRequestProto ROOT =
      GetFileInfoRequestProto.newBuilder().setSrc("/").build();

  private Refusals() {}

  /** A protocol that the NameNode serves, with a method that it has not. */
  @ProtocolInfo(
      protocolName = "org.apache.hadoop.hdfs.protocol.ClientProtocol",
      protocolVersion = 1)
  public interface MethodOfTheFuture {
    GetFileInfoResponseProto foldSpace(RpcController controller, GetFileInfoRequestProto request)
        throws ServiceException;
  }

  /** A protocol that the NameNode serves, in a version that it does not. */
  @ProtocolInfo(
      protocolName = "org.apache.hadoop.hdfs.protocol.ClientProtocol",
      protocolVersion = 99)
  public interface VersionOfTheFuture {
    GetFileInfoResponseProto getFileInfo(RpcController controller, GetFileInfoRequestProto request)
        throws ServiceException;
  }

  /** A protocol that the NameNode does not serve. */
  @ProtocolInfo(protocolName = "org.example.NoSuchProtocol", protocolVersion = 1)
  public interface ProtocolOfOthers {
    GetFileInfoResponseProto getFileInfo(RpcController controller, GetFileInfoRequestProto request)
        throws ServiceException;
  }

  /** What the file system forbids. */
  static void byTheFileSystem(
      DistributedFileSystem admin, DistributedFileSystem alice, DistributedFileSystem bob)
      throws Exception {
    ClientProtocol nameNode = alice.getClient().getNamenode();
    String clientName = alice.getClient().getClientName();
    Path report = new Path("/user/alice/report-0");
    Path secret = new Path("/user/alice/secret");
    FileWork.write(alice, secret, 20);
    alice.setPermission(secret, new FsPermission((short) 0600));
    refused("FileNotFoundException", () -> alice.setTimes(new Path("/missing"), 1, 1));
    refused("FileNotFoundException", () -> alice.listStatus(new Path("/missing")));
    refused("AccessControlException", () -> bob.open(secret));
    refused("AccessControlException", () -> bob.mkdirs(new Path("/admin/mine")));
    refused("AccessControlException", () -> bob.rollEdits());
    refused("FileAlreadyExistsException", () -> alice.create(report, false));
    refused("FileAlreadyExistsException", () -> alice.mkdirs(report));
    refused("ParentNotDirectoryException", () -> alice.mkdirs(new Path(report, "below")));
    refused(
        "PathIsNotEmptyDirectoryException", () -> alice.delete(new Path("/user/alice/in"), false));
    refused("AclException", () -> alice.modifyAclEntries(report, defaultAcl()));
    refused("XAttrNotFoundException", () -> alice.getXAttr(report, "user.none"));
    refused("UnsupportedActionException", () -> alice.satisfyStoragePolicy(report));
    refused("ServiceFailedException", nameNode::getHAServiceState);
    refused("InvalidPathException", () -> nameNode.mkdirs("no/slash", perm(), true));
    refused("FileNotFoundException", () -> nameNode.complete("/missing", clientName, null, 0));
    refused("SnapshotException", () -> admin.createSnapshot(new Path("/admin"), "none"));
    Path tight = new Path("/admin/tight");
    admin.mkdirs(tight);
    admin.setQuota(tight, 1, Long.MAX_VALUE);
    refused("NSQuotaExceededException", () -> admin.mkdirs(new Path(tight, "more")));
    Path open = new Path("/user/alice/half");
    FSDataOutputStream out = alice.create(open);
    out.hflush();
    refused("AlreadyBeingCreatedException", () -> admin.append(open));
    refused("LeaseExpiredException", () -> nameNode.complete(path(open), "another", null, 0));
    out.close();
  }

  /** What the server forbids before the file system is asked. */
  static void byTheServer(InetSocketAddress address, Configuration conf) throws Exception {
    MethodOfTheFuture method = proxy(MethodOfTheFuture.class, address, conf);
    refused("RpcNoSuchMethodException", () -> method.foldSpace(null, ROOT));
    VersionOfTheFuture version = proxy(VersionOfTheFuture.class, address, conf);
    refused("VersionMismatch", () -> version.getFileInfo(null, ROOT));
    ProtocolOfOthers protocol = proxy(ProtocolOfOthers.class, address, conf);
    refused("RpcNoSuchProtocolException", () -> protocol.getFileInfo(null, ROOT));
    // A proxy user without the right to be one: FATAL, and the connection ends.
    UserGroupInformation mallory =
        UserGroupInformation.createProxyUser(
            "alice", UserGroupInformation.createRemoteUser("mallory"));
    refused(
        "AuthorizationException",
        () -> mallory.doAs((PrivilegedExceptionAction<Boolean>) () -> isRootThere(address, conf)));
  }

  private static boolean isRootThere(InetSocketAddress address, Configuration conf)
      throws IOException {
    String uri = "hdfs://" + address.getHostString() + ":" + address.getPort();
    try (FileSystem fs = FileSystem.newInstance(java.net.URI.create(uri), conf)) {
      return fs.exists(new Path("/"));
    }
  }

  private static <T> T proxy(Class<T> protocol, InetSocketAddress address, Configuration conf)
      throws IOException {
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    return RPC.getProxy(protocol, RPC.getProtocolVersion(protocol), address, conf);
  }

  private static void refused(String by, NameNodeScenario.Work work) throws Exception {
    Exception refusal = null;
    try {
      work.run();
    } catch (Exception e) {
      refusal = e;
    }
    if (refusal == null || !refusal.toString().contains(by)) {
      throw new IllegalStateException("not refused by " + by, refusal);
    }
  }

  private static List<AclEntry> defaultAcl() {
    return AclEntry.parseAclSpec("default:user:bob:rwx", true);
  }

  private static FsPermission perm() {
    return FsPermission.getDirDefault();
  }

  private static String path(Path path) {
    return path.toUri().getPath();
  }
}
