package jvmwire.peers.hadoop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/** What a user does with files and directories. */
final class FileWork {
  private static final Path HOME = new Path("/user/alice");
  private static final Path IN = new Path(HOME, "in");
  private static final Path REPORT = new Path(HOME, "report-0");

  private FileWork() {}

  /** Creates, writes, reads, appends, truncates, concatenates. */
  static void write(DistributedFileSystem fs) throws Exception {
    fs.getServerDefaults();
    fs.mkdirs(IN);
    for (int i = 0; i < 6; i++) {
      write(fs, new Path(IN, "part-" + i), 700 + 100 * i);
    }
    write(fs, REPORT, 1200);
    try (FSDataOutputStream out = fs.append(REPORT)) {
      out.write(new byte[300]);
      out.hflush();
      ((HdfsDataOutputStream) out).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
    }
    try (FSDataInputStream in = fs.open(REPORT)) {
      in.readAllBytes();
    }
    fs.truncate(REPORT, 1000);
    while (!fs.isFileClosed(REPORT)) {
      NameNodeScenario.pause(150);
    }
    fs.concat(new Path(IN, "part-0"), new Path[] {new Path(IN, "part-1"), new Path(IN, "part-2")});
    leaveOpen(fs);
  }

  /** Leaves a file open, as a writer that died would, and has its lease recovered. */
  private static void leaveOpen(DistributedFileSystem fs) throws Exception {
    ClientProtocol nameNode = fs.getClient().getNamenode();
    Path open = new Path(HOME, "open");
    FSDataOutputStream out = fs.create(open);
    out.write(new byte[100]);
    out.hflush();
    nameNode.renewLease(fs.getClient().getClientName(), List.of());
    while (!fs.recoverLease(open)) {
      NameNodeScenario.pause(250);
    }
  }

  /** Moves, marks and looks. */
  static void arrange(DistributedFileSystem fs) throws IOException {
    ClientProtocol nameNode = fs.getClient().getNamenode();
    Path part = new Path(IN, "part-3");
    Path moved = new Path(HOME, "report-1");
    nameNode.rename(part.toUri().getPath(), moved.toUri().getPath());
    fs.rename(new Path(IN, "part-4"), moved, Rename.OVERWRITE);
    fs.setPermission(moved, new FsPermission((short) 0640));
    fs.setOwner(moved, null, "analysts");
    fs.setTimes(moved, 1_400_000_000_000L, 1_400_000_001_000L);
    fs.setReplication(moved, (short) 2);
    fs.setStoragePolicy(IN, "COLD");
    fs.getStoragePolicy(IN);
    fs.unsetStoragePolicy(IN);
    fs.getAllStoragePolicies();
    fs.access(moved, FsAction.READ_WRITE);
    fs.getFileBlockLocations(moved, 0, 10);
    fs.getFileChecksum(moved);
    fs.getContentSummary(HOME);
    fs.getQuotaUsage(HOME);
    nameNode.getPreferredBlockSize(moved.toUri().getPath());
    nameNode.getLocatedFileInfo(moved.toUri().getPath(), true);
    Path link = new Path(HOME, "latest");
    fs.createSymlink(moved, link, false);
    fs.getFileLinkStatus(link);
    fs.getLinkTarget(link);
    fs.getFileStatus(link);
    drain(fs.listLocatedStatus(IN));
    drain(fs.batchedListStatusIterator(List.of(HOME, IN)));
    fs.getEnclosingRoot(IN);
    nameNode.getEZForPath(IN.toUri().getPath());
    nameNode.getDelegationToken(null);
    nameNode.getDataEncryptionKey();
    fs.delete(new Path(IN, "part-5"), false);
  }

  /** Extended attributes and access control lists. */
  static void annotate(DistributedFileSystem fs) throws IOException {
    fs.setXAttr(REPORT, "user.origin", new byte[] {0, 1, 2, (byte) 0xff});
    fs.setXAttr(
        REPORT,
        "user.note",
        "déjà vu".getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE));
    fs.getXAttr(REPORT, "user.note");
    Map<String, byte[]> all = fs.getXAttrs(REPORT);
    fs.listXAttrs(REPORT);
    for (String name : all.keySet()) {
      fs.removeXAttr(REPORT, name);
    }
    List<AclEntry> readers = AclEntry.parseAclSpec("user:bob:r-x,group:engineers:r--", true);
    fs.modifyAclEntries(REPORT, readers);
    fs.getAclStatus(REPORT);
    fs.setAcl(REPORT, AclEntry.parseAclSpec("user::rw-,user:bob:rw-,group::r--,other::---", true));
    fs.removeAclEntries(REPORT, AclEntry.parseAclSpec("user:bob", false));
    fs.modifyAclEntries(IN, AclEntry.parseAclSpec("default:user:bob:rwx", true));
    fs.removeDefaultAcl(IN);
    fs.removeAcl(REPORT);
  }

  static void clear(DistributedFileSystem fs) throws IOException {
    for (String path : new String[] {"/user", "/data/events", "/data/deep", "/data/ingest"}) {
      fs.delete(new Path(path), true);
    }
  }

  static void write(DistributedFileSystem fs, Path path, int length) throws IOException {
    try (FSDataOutputStream out =
        fs.create(
            path,
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE),
            4096,
            (short) 1,
            1 << 20,
            null)) {
      out.write(new byte[length]);
    }
  }

  static <T> List<T> drain(RemoteIterator<T> iterator) throws IOException {
    List<T> all = new ArrayList<>();
    while (iterator.hasNext()) {
      all.add(iterator.next());
    }
    return all;
  }
}
