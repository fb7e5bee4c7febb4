// SPDX-License-Identifier: Apache-2.0
//
// ZooKeeper for tests, fast: many writes in one session, nodes held by a
// session until it is told to go, and the transaction log as text. Works with
// the ZooKeeper jar of each Kafka version of the sandbox (3.4 to 3.8).
//
//   ZkTool batch SERVERS FILE         applies the lines of FILE ("-": standard input)
//   ZkTool hold SERVERS FILE READY    the same, then writes the session's id to
//                                     READY and holds the session until SIGTERM
//                                     (closes it) or SIGKILL (lets it expire)
//   ZkTool txnlog DIR [SESSION]       one line for each transaction
//
// Lines of a batch, fields separated by tabs; the data goes to the line's end:
//   create PATH DATA     create-e PATH DATA (ephemeral)
//   create-r PATH DATA   (parents too; none of them need be new)
//   set PATH DATA        delete PATH        delete-r PATH (children too)
// Writes are sent without waiting for the answers, in order. The first errors
// are told with their line; the exit code is then 1.

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jute.Record;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ByteBufferInputStream;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.txn.CheckVersionTxn;
import org.apache.zookeeper.txn.CreateSessionTxn;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.ErrorTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;
import org.apache.zookeeper.txn.TxnHeader;

public class ZkTool {
    private static final int IN_FLIGHT_MAX = 2000;
    private static final int ERRORS_SHOWN = 20;
    private static final int SESSION_TIMEOUT_MS = Integer.getInteger("session.timeout", 6000);

    private final ZooKeeper zk;
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    private final AtomicInteger errors = new AtomicInteger();
    private final Set<String> made = new HashSet<>();

    public static void main(String[] args) throws Exception {
        if (args.length >= 2 && args[0].equals("txnlog")) {
            txnlog(new File(args[1]), args.length > 2 ? Long.parseUnsignedLong(args[2].replaceFirst("^0x", ""), 16) : 0);
            return;
        }
        if (args.length < 3)
            throw new IllegalArgumentException("see the head of ZkTool.java");
        ZkTool tool = new ZkTool(args[1]);
        tool.apply(args[2]);
        if (args[0].equals("hold") && tool.errors.get() == 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(tool::close));
            write(args[3], String.format("0x%x%n", tool.zk.getSessionId()));
            new CountDownLatch(1).await();
        }
        tool.close();
        System.exit(tool.errors.get() == 0 ? 0 : 1);
    }

    private ZkTool(String servers) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        zk = new ZooKeeper(servers, SESSION_TIMEOUT_MS, event -> {
            if (event.getState() == KeeperState.SyncConnected)
                connected.countDown();
        });
        if (!connected.await(20, TimeUnit.SECONDS)) {
            System.err.println("no session at " + servers + " within 20 s");
            System.exit(1);
        }
    }

    private void close() {
        try {
            zk.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // Atomically, so that whoever waits for the file reads it whole.
    private static void write(String path, String text) throws Exception {
        Path part = Path.of(path + ".new");
        Files.writeString(part, text);
        Files.move(part, Path.of(path), StandardCopyOption.ATOMIC_MOVE);
    }

    // ---- batch ----

    private void apply(String file) throws Exception {
        try (InputStream in = file.equals("-") ? System.in : new FileInputStream(file);
             BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            int number = 0;
            for (String line; (line = lines.readLine()) != null; ) {
                number++;
                if (!line.isEmpty() && !line.startsWith("#"))
                    applyLine(number, line.split("\t", 3));
            }
        }
        drain();
    }

    private void applyLine(int number, String[] field) throws Exception {
        String op = field[0];
        if (field.length < 2) {
            failed(number, op, "", "no path");
            return;
        }
        String path = field[1];
        byte[] data = field.length > 2 ? field[2].getBytes(StandardCharsets.UTF_8) : null;
        switch (op) {
        case "create":
            create(number, path, data, CreateMode.PERSISTENT, false);
            break;
        case "create-e":
            create(number, path, data, CreateMode.EPHEMERAL, false);
            break;
        case "create-r":
            for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1))
                if (made.add(path.substring(0, slash)))
                    create(number, path.substring(0, slash), null, CreateMode.PERSISTENT, true);
            create(number, path, data, CreateMode.PERSISTENT, made.contains(path));
            break;
        case "set":
            inFlight.acquire();
            zk.setData(path, data, -1, (rc, p, ctx, stat) -> answered(number, op, p, rc, false), null);
            break;
        case "delete":
            delete(number, path);
            break;
        case "delete-r":
            drain();
            deleteAll(number, path);
            made.clear();
            break;
        default:
            failed(number, op, path, "no such operation");
        }
    }

    private void create(int number, String path, byte[] data, CreateMode mode, boolean mayExist) throws Exception {
        inFlight.acquire();
        zk.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode,
                  (rc, p, ctx, name) -> answered(number, "create", p, rc, mayExist), null);
    }

    private void delete(int number, String path) throws Exception {
        inFlight.acquire();
        zk.delete(path, -1, (rc, p, ctx) -> answered(number, "delete", p, rc, false), null);
    }

    private void deleteAll(int number, String path) throws Exception {
        if (zk.exists(path, false) == null) {
            failed(number, "delete-r", path, Code.NONODE.toString());
            return;
        }
        for (String child : zk.getChildren(path, false))
            deleteAll(number, path.equals("/") ? "/" + child : path + "/" + child);
        delete(number, path);
    }

    private void answered(int number, String op, String path, int rc, boolean mayExist) {
        Code code = Code.get(rc);
        if (code != Code.OK && !(mayExist && code == Code.NODEEXISTS))
            failed(number, op, path, String.valueOf(code));
        inFlight.release();
    }

    private void failed(int number, String op, String path, String why) {
        if (errors.incrementAndGet() <= ERRORS_SHOWN)
            System.err.println("line " + number + ": " + op + " " + path + ": " + why);
    }

    private void drain() throws Exception {
        inFlight.acquire(IN_FLIGHT_MAX);
        inFlight.release(IN_FLIGHT_MAX);
    }

    // ---- transaction log ----

    private static void txnlog(File dir, long session) throws Exception {
        TxnLog.TxnIterator log = new FileTxnLog(dir).read(0);
        if (log.getHeader() == null)
            return;
        StringBuilder out = new StringBuilder();
        do {
            TxnHeader header = log.getHeader();
            if (session == 0 || header.getClientId() == session) {
                out.setLength(0);
                out.append(Instant.ofEpochMilli(header.getTime()))
                   .append(String.format(" session 0x%x cxid 0x%x zxid 0x%x ", header.getClientId(), header.getCxid(), header.getZxid()));
                describe(out, header.getType(), log.getTxn());
                System.out.println(out);
            }
        } while (log.next());
        log.close();
    }

    private static void describe(StringBuilder out, int type, Record txn) throws Exception {
        if (txn instanceof CreateTxn) {
            CreateTxn create = (CreateTxn) txn;
            out.append(create.getEphemeral() ? "create-e " : "create ").append(create.getPath());
            data(out, create.getData());
        } else if (txn instanceof SetDataTxn) {
            SetDataTxn set = (SetDataTxn) txn;
            out.append("set ").append(set.getPath()).append(" v").append(set.getVersion());
            data(out, set.getData());
        } else if (txn instanceof DeleteTxn) {
            out.append("delete ").append(((DeleteTxn) txn).getPath());
        } else if (txn instanceof CheckVersionTxn) {
            CheckVersionTxn check = (CheckVersionTxn) txn;
            out.append("check ").append(check.getPath()).append(" v").append(check.getVersion());
        } else if (txn instanceof CreateSessionTxn) {
            out.append("open-session ").append(((CreateSessionTxn) txn).getTimeOut()).append(" ms");
        } else if (txn instanceof ErrorTxn) {
            out.append("error ").append(Code.get(((ErrorTxn) txn).getErr()));
        } else if (txn instanceof MultiTxn) {
            multi(out, ((MultiTxn) txn).getTxns());
        } else if (type == ZooDefs.OpCode.closeSession) {
            out.append("close-session");
        } else {
            out.append("type ").append(type);
        }
    }

    private static void multi(StringBuilder out, List<Txn> parts) throws Exception {
        out.append("multi");
        String between = " ";
        for (Txn part : parts) {
            out.append(between);
            between = " ; ";
            Record record = recordFor(part.getType());
            if (record != null)
                ByteBufferInputStream.byteBuffer2Record(ByteBuffer.wrap(part.getData()), record);
            describe(out, part.getType(), record);
        }
    }

    private static Record recordFor(int type) {
        switch (type) {
        case 1:     // create
        case 15:    // create2
            return new CreateTxn();
        case 2:
            return new DeleteTxn();
        case 5:
            return new SetDataTxn();
        case 13:
            return new CheckVersionTxn();
        case -1:
            return new ErrorTxn();
        default:
            return null;
        }
    }

    private static void data(StringBuilder out, byte[] data) {
        if (data == null || data.length == 0)
            return;
        out.append(' ');
        for (char c : new String(data, StandardCharsets.UTF_8).toCharArray()) {
            if (c < ' ' || c == 0x7f)
                out.append(String.format("\\x%02x", (int) c));
            else
                out.append(c);
        }
    }
}
