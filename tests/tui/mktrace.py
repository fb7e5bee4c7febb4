#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the traces that the screen tests play (tests/tui/traces). The traces are kept in the
repository: this is needed only to change them.  usage: mktrace.py FOLDER"""
import base64
import json
import os
import struct
import sys
from datetime import datetime, timezone

START = int(datetime(2026, 3, 14, 3, 0, 0, tzinfo=timezone.utc).timestamp() * 1000)
DAY = 86400000


class Trace:
    def __init__(self, path, zookeeper="zk1.example:2181,zk2.example:2181/kafka"):
        self.path, self.lines, self.t, self.epoch, self.zxid = path, [], 0, 1, 1000
        at = datetime.fromtimestamp(START / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        self.lines.append({"kafops_trace": 1, "program": "kafops mktrace", "started_at": at, "zookeeper": zookeeper})
        self.born = {}
        self.silent_from = 10 ** 9  # ms: no probe is answered from here on

    def at(self, seconds):
        self.t = int(seconds * 1000)
        return self

    def put(self, ev, **kw):
        self.lines.append({"t": self.t, "ev": ev, "epoch": self.epoch, **kw})

    def conn(self, state, server="zk1.example:2181", error="", tries=0, age=0, latency=2, loss="none", **kw):
        self.put("conn", state=state, loss=loss, readonly_server=kw.get("readonly", False), tries=tries,
                 last_answer_age=age, latency=latency if state == "up" else -1,
                 session_timeout=10000 if state == "up" else 0,
                 session_id="0x10000abcd" if state == "up" else "0x0", server=server, error=error)

    def stat(self, path, born, ephemeral):
        self.zxid += 1
        first = self.born.setdefault(path, (self.zxid, START + self.t if born is None else born))
        changed = START + self.t if born is None else max(first[1], born)
        return {"czxid": first[0], "mzxid": self.zxid, "ctime": first[1], "mtime": changed,
                "version": 0, "cversion": 0, "ephemeral_owner": 77 if ephemeral else 0}

    @staticmethod
    def text(key, value):
        if isinstance(value, bytes):
            try:
                s = value.decode("utf-8")
                if "\0" not in s:
                    return {key: s}
            except UnicodeDecodeError:
                pass
            return {key + "64": base64.b64encode(value).decode()}
        return {key: value}

    def node(self, path, data, born=None, ephemeral=False):
        if not isinstance(data, (str, bytes)):
            data = json.dumps(data, separators=(",", ":"))
        key = path if isinstance(path, str) else path.decode("latin1")
        self.put("znode", **self.text("path", path), rc="ok", **self.text("data", data),
                 stat=self.stat(key, born, ephemeral))

    def absent(self, path):
        self.born.pop(path, None)
        self.put("znode", path=path, rc="absent")

    def absent_list(self, path):
        self.put("children", path=path, rc="absent")

    def children(self, path, names):
        names = sorted(n if isinstance(n, bytes) else n.encode() for n in names)
        try:
            kids = {"children": [n.decode("utf-8") for n in names]}
        except UnicodeDecodeError:
            kids = {"children64": [base64.b64encode(n).decode() for n in names]}
        self.put("children", path=path, rc="ok", **kids, stat=self.stat(path, START - 400 * DAY, False))

    def answer(self, broker, api, version, body, **kw):
        """A broker's answer: its body behind the header, as io/trace has it."""
        self.lines.append({"t": self.t, "ev": "answer", "broker": broker, "api": api, "version": version, **kw,
                           "body64": base64.b64encode(body).decode()})

    def link(self, broker, state, error=""):
        self.lines.append({"t": self.t, "ev": "link", "broker": broker, "state": state, "tries": 1 if error else 0,
                           "last_answer_age": None if error else 0, "latency": -1 if error else 3,
                           "address": "kafka%02d.example:9092" % broker, "error": error})

    def unanswered(self, broker, what, why):
        self.lines.append({"t": self.t, "ev": "unanswered", "broker": broker, "what": what, "rc": "no permission",
                           "why": why})

    def asked(self, why=None):
        self.lines.append({"t": self.t, "ev": "asked", "rc": "failed" if why else "ok", **({"why": why} if why else {})})

    def with_probes(self):
        """The answers to the probe, every two seconds while there is a session, but where a trace says silence."""
        out, up, due = [], None, 0
        for line in self.lines:
            while up and due < min(line.get("t", 0), self.silent_from):
                out.append({**up, "t": due})
                due += 2000
            out.append(line)
            if line.get("ev") == "conn":
                up = {**line, "last_answer_age": 0} if line["state"] == "up" else None
                due = line["t"] + 2000
        return out

    def save(self):
        self.lines = self.with_probes()
        with open(self.path, "w", encoding="utf-8") as f:
            for line in self.lines:
                f.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


# Bodies of answers, by Kafka's schemas: DescribeLogDirs v1 and v4, Metadata v5, DescribeConfigs has none here.

def text16(s):
    return struct.pack(">h", -1) if s is None else struct.pack(">h", len(s.encode())) + s.encode()


def array32(items):
    return struct.pack(">i", len(items)) + b"".join(items)


def varint(n):
    out = b""
    while n >= 0x80:
        out, n = out + bytes([n & 0x7f | 0x80]), n >> 7
    return out + bytes([n])


def compact(s):
    return varint(len(s.encode()) + 1) + s.encode()


def compact_array(items):
    return varint(len(items) + 1) + b"".join(items)


def log_dirs(dirs, version=4):
    """dirs: [(path, error, {topic: [(partition, size, lag, is_future)]}, total, usable)]"""
    flexible = version >= 2
    name, array, end = (compact, compact_array, b"\0") if flexible else (text16, array32, b"")
    out = struct.pack(">i", 0) + (struct.pack(">h", 0) if version >= 3 else b"")
    return out + array([
        struct.pack(">h", error) + name(path) + array([
            name(topic) + array([struct.pack(">iqqb", *part) + end for part in parts]) + end
            for topic, parts in sorted(held.items())]) +
        (struct.pack(">qq", total, usable) if version >= 4 else b"") + end
        for path, error, held, total, usable in dirs]) + end


def metadata(brokers, cluster_id, controller, topics):
    """Version 5. topics: {name: [(leader, replicas, isr, offline)]}"""
    ids = lambda v: array32([struct.pack(">i", i) for i in v])
    return struct.pack(">i", 0) + array32([struct.pack(">i", b) + text16(HOSTS[b]) + struct.pack(">i", 9092) + text16("r%d" % b)
                                           for b in brokers]) + \
        text16(cluster_id) + struct.pack(">i", controller) + array32([
            struct.pack(">h", 0) + text16(name) + b"\0" + array32([
                struct.pack(">hii", 0 if leader >= 0 else 5, p, leader) + ids(replicas) + ids(isr) + ids(offline)
                for p, (leader, replicas, isr, offline) in enumerate(parts)])
            for name, parts in sorted(topics.items())])


def broker(host, rack=None):
    return {"listener_security_protocol_map": {"PLAINTEXT": "PLAINTEXT"}, "endpoints": ["PLAINTEXT://%s:9092" % host],
            "jmx_port": -1, "port": 9092, "host": host, "version": 5, "timestamp": str(START), "rack": rack,
            "features": {}}


def topic(parts, topic_id=None, adding=None, removing=None):
    d = {"version": 3, "partitions": {str(i): r for i, r in enumerate(parts)},
         "adding_replicas": adding or {}, "removing_replicas": removing or {}}
    if topic_id:
        d["topic_id"] = topic_id
    return d


def state(leader, isr, epoch=5):
    return {"controller_epoch": 31, "leader": leader, "version": 1, "leader_epoch": epoch, "isr": isr}


# name -> (partitions, replication, age in days)
TOPICS = {
    "orders.events": (6, 3, 800), "orders.commands": (6, 3, 800), "payments.ledger": (3, 3, 700),
    "payments.refunds": (3, 3, 640), "web.sessions": (6, 2, 180), "web.clicks": (6, 2, 180),
    "team12.clicks.v1": (4, 3, 1100), "team12.clicks.v2": (4, 3, 20), "inventory.stock-levels": (3, 3, 90),
    "audit.log": (1, 3, 1500), "mail.outbound": (2, 2, 12), "search.index-updates": (4, 3, 45),
    "tmp.load-test": (2, 1, 0.01), "__consumer_offsets": (5, 3, 1500),
}
CONFIGS = {"payments.ledger": {"min.insync.replicas": "2"}, "orders.events": {"min.insync.replicas": "2", "retention.ms": "604800000"},
           "audit.log": {"retention.ms": "-1"}}
HOSTS = {1: "kafka01.example", 2: "kafka02.example", 3: "kafka03.example"}


def assignment(name, n, rf):
    shift = sum(name.encode()) % 3
    return [[(shift + p + r) % 3 + 1 for r in range(rf)] for p in range(n)]


def load(tr, brokers, states, topics, deleting=(), reassign=None, old=True):
    tr.children("/brokers/ids", [str(b) for b in brokers])
    for b in brokers:
        tr.node("/brokers/ids/%d" % b, broker(HOSTS[b], "r%d" % b), START - 3 * DAY, True)
    tr.node("/controller", {"version": 2, "brokerid": 1, "timestamp": str(START - 3 * DAY), "kraftControllerEpoch": -1},
            START - 3 * DAY, True)
    tr.node("/controller_epoch", "31", START - 3 * DAY)
    tr.node("/cluster/id", {"version": "1", "id": "9lkx3AmZTqWkXrJVxXnI8g"}, START - 1500 * DAY)
    tr.children("/brokers/topics", list(topics))
    tr.children("/admin/delete_topics", deleting)
    if reassign is None:
        tr.absent("/admin/reassign_partitions")
    else:
        tr.node("/admin/reassign_partitions", reassign)
    tr.children("/config/topics", list(CONFIGS))
    tr.children("/config/brokers", [])
    tr.absent("/feature")
    tr.absent("/migration")
    tr.put("progress", done=40, total=120)
    for name, (n, rf, age) in topics.items():
        tr.node("/brokers/topics/%s" % name, topic(assignment(name, n, rf)), START - int(age * DAY))
        for p in range(n):
            tr.node("/brokers/topics/%s/partitions/%d/state" % (name, p), states[name][p], START - int(age * DAY))
        if name in CONFIGS:
            tr.node("/config/topics/%s" % name, {"version": 1, "config": CONFIGS[name]}, START - int(age * DAY))
        else:
            tr.absent("/config/topics/%s" % name)
    tr.put("progress", done=120, total=120)
    tr.put("loaded")


def healthy():
    return {name: [state(r[0], r) for r in assignment(name, n, rf)] for name, (n, rf, _) in TOPICS.items()}


def broker_dies(tr, states, dead):
    """The broker goes; two seconds later the controller has moved leaders and the ISRs have shrunk."""
    alive = [b for b in HOSTS if b != dead]
    tr.children("/brokers/ids", [str(b) for b in alive])
    tr.absent("/brokers/ids/%d" % dead)
    tr.at(tr.t / 1000 + 2)
    for name, parts in states.items():
        for p, st in enumerate(parts):
            if dead not in st["isr"]:
                continue
            isr = [b for b in st["isr"] if b != dead]
            leader = st["leader"] if st["leader"] != dead else (isr[0] if isr else -1)
            parts[p] = state(leader, isr or [dead], 6)
            tr.node("/brokers/topics/%s/partitions/%d/state" % (name, p), parts[p])


def cluster(folder):
    """0 s connects, 1 s all read, 10 s broker 3 dies, 30 s a topic is queued for deletion and another moves,
    40 s broker 3 is back, 60 s ZooKeeper goes, 80 s the session has expired, 90 s it is back, 91 s read again."""
    tr = Trace(os.path.join(folder, "cluster.trace"))
    states = healthy()
    tr.at(0).conn("connecting", age=None)
    tr.at(0.5).conn("up")
    tr.at(1).put("root", rc="ok")
    load(tr, HOSTS, states, TOPICS)
    tr.at(5).conn("up", latency=2)
    tr.at(10)
    broker_dies(tr, states, 3)
    tr.at(30).children("/admin/delete_topics", ["team12.clicks.v1"])
    moved = assignment("web.sessions", 6, 2)
    adding = {}
    for p in (0, 1):
        new = next(b for b in HOSTS if b not in moved[p])
        moved[p] = [new] + moved[p]
        adding[str(p)] = [new]
    tr.node("/brokers/topics/web.sessions", topic(moved, adding=adding, removing={"0": [moved[0][2]]}))
    tr.at(40).children("/brokers/ids", ["1", "2", "3"])
    tr.node("/brokers/ids/3", broker(HOSTS[3], "r3"), None, True)
    tr.at(42)
    states = healthy()
    for name, parts in states.items():
        for p, st in enumerate(parts):
            tr.node("/brokers/topics/%s/partitions/%d/state" % (name, p), dict(st, leader_epoch=7))
    tr.at(60).conn("connecting", server="zk2.example:2181", error="refused", tries=1, age=1500, loss="dropped")
    tr.at(62).conn("connecting", server="zk1.example:2181", error="refused", tries=2, age=3500, loss="dropped")
    tr.at(66).conn("connecting", server="zk2.example:2181", error="refused", tries=3, age=7500, loss="dropped")
    tr.at(80).conn("connecting", server="zk1.example:2181", error="refused", tries=8, age=21500, loss="expired")
    tr.epoch = 2
    tr.at(90).conn("up", loss="expired")
    tr.at(90.5).put("root", rc="ok")
    tr.put("progress", done=10, total=120)
    tr.at(95)
    load(tr, HOSTS, states, TOPICS, deleting=["team12.clicks.v1"])
    tr.at(100).conn("up", latency=3)
    tr.save()


def nobody(folder):
    tr = Trace(os.path.join(folder, "nobody.trace"))
    for i, (server, error) in enumerate([("zk1.example:2181", ""), ("zk1.example:2181", "refused"),
                                         ("zk2.example:2181", "refused"), ("zk1.example:2181", "name does not resolve")]):
        tr.at(i * 2).conn("connecting", server=server, error=error, tries=i, age=None)
    tr.at(20).conn("connecting", server="zk1.example:2181", error="name does not resolve", tries=9, age=None)
    tr.save()


def silent(folder):
    """The server goes silent ten seconds in; nothing says so but the missing answers."""
    tr = Trace(os.path.join(folder, "silent.trace"))
    tr.silent_from = 10000
    tr.at(0).conn("up")
    tr.put("root", rc="ok")
    load(tr, HOSTS, healthy(), TOPICS)
    tr.at(30).put("progress", done=120, total=120)
    tr.save()


def chroot(folder):
    tr = Trace(os.path.join(folder, "chroot.trace"), "zk1.example:2181/kafka/prod")
    tr.at(0).conn("up")
    tr.at(1).put("root", rc="absent", missing="/kafka/prod")
    tr.put("loaded")
    tr.at(15).put("root", rc="failed", why="no permission to read it")
    tr.at(20).conn("up")
    tr.save()


def empty(folder):
    """A root without Kafka, then an empty cluster."""
    tr = Trace(os.path.join(folder, "empty.trace"), "zk1.example:2181")
    tr.at(0).conn("up")
    tr.at(1).put("root", rc="ok")
    for path in ("/brokers/ids", "/brokers/topics", "/admin/delete_topics", "/config/topics", "/config/brokers"):
        tr.absent_list(path)
    for path in ("/controller", "/controller_epoch", "/cluster/id", "/admin/reassign_partitions", "/feature",
                 "/migration"):
        tr.absent(path)
    tr.put("loaded")
    tr.at(10)
    load(tr, HOSTS, {}, {})
    tr.at(20).conn("up")
    tr.save()


GIB = 1 << 30


def held(broker_id, scale=1):
    """What the assignment puts on a broker, each topic's size its own; even partitions in the first dir."""
    dirs = ({}, {})
    for name, (n, rf, age) in TOPICS.items():
        for p, replicas in enumerate(assignment(name, n, rf)):
            if broker_id in replicas:
                size = sum(name.encode()) * (p + 3) * 7919 * 1024 * scale
                dirs[p % 2].setdefault(name, []).append((p, size, 0, 0))
    return dirs


def disks(folder):
    """1 s all read, 2 s brokers 1 and 2 have told, 4 s broker 3 as well, 10 s: broker 2 loses a dir, a replica moves between the dirs of
    broker 1, an orphan lies on broker 3; 20 s broker 3 is gone; 30 s no broker answers; 40 s broker 1 has not the right to be asked."""
    tr = Trace(os.path.join(folder, "disks.trace"))
    states = healthy()
    volume = (4096 * GIB, 380 * GIB), (4096 * GIB, 1200 * GIB)

    def tell(b, version=4, lost=None, future=None, orphan=None):
        dirs = held(b)
        if orphan:
            dirs[1][orphan] = [(0, 3 * GIB, 0, 0)]
        if future:
            name, p, size, lag = future
            dirs[1].setdefault(name, []).append((p, size, lag, 1))
        tr.answer(b, 35, version, log_dirs(
            [("/data/d%d/kafka" % (i + 1), 56, {}, -1, -1) if lost == i else
             ("/data/d%d/kafka" % (i + 1), 0, dirs[i], volume[i][0], volume[i][1] + b * 97 * GIB) for i in (0, 1)], version))

    def all_topics(offline=None):
        tr.answer(1, 3, 5, metadata(HOSTS, "9lkx3AmZTqWkXrJVxXnI8g", 1, {
            name: [(r[0], r, r, [2] if offline and 2 in r and p % 2 == 0 else []) for p, r in enumerate(assignment(name, n, rf))]
            for name, (n, rf, _) in TOPICS.items()}), all=True)

    tr.at(0.5).conn("up")
    tr.at(1).put("root", rc="ok")
    load(tr, HOSTS, states, TOPICS)
    tr.at(1.5).link(1, "up")
    tr.link(2, "up")
    tr.link(3, "connecting")
    tr.at(2)
    all_topics()
    tell(1)
    tell(2)
    tr.at(4).link(3, "up")
    tell(3, 1)
    tr.asked()
    tr.at(10)
    all_topics(offline=2)
    tell(1, future=("orders.events", 0, 8 * GIB, 1234567))
    tell(2, lost=0)
    tell(3, 1, orphan="old.topic")
    tr.at(20).children("/brokers/ids", ["1", "2"])
    tr.absent("/brokers/ids/3")
    tr.link(3, "failed", "kafka03.example:9092: refused")
    tr.at(30).link(1, "failed", "kafka01.example:9092: no answer for 10 s")
    tr.link(2, "failed", "kafka02.example:9092: no answer for 10 s")
    tr.at(40).link(1, "up")
    tr.link(2, "up")
    tr.unanswered(1, "log dirs", "no permission: DescribeLogDirs needs DESCRIBE on the cluster; sizes and log dirs stay unknown, all else works")
    tr.at(50).conn("up")
    tr.save()


def marks(folder):
    """2 s all is read and brokers have told their sizes; 10 s team12.clicks.v1 goes and is made again at 12 s; 20 s tmp.load-test is
    queued for deletion, and mail.outbound is gone."""
    tr = Trace(os.path.join(folder, "marks.trace"))
    topics = dict(TOPICS, **{"payments.eu": (2, 2, 30), "payments_eu": (1, 2, 31), "team12.gold": (1, 3, 400), "__audit": (1, 3, 9)})
    states = {name: [state(r[0], r) for r in assignment(name, n, rf)] for name, (n, rf, _) in topics.items()}
    tr.at(0.5).conn("up")
    tr.at(1).put("root", rc="ok")
    load(tr, HOSTS, states, topics)
    for b in HOSTS:
        tr.at(2).link(b, "up")
        tr.answer(b, 35, 4, log_dirs([("/data/d%d/kafka" % (i + 1), 0, held(b)[i], 4096 * GIB, 1200 * GIB) for i in (0, 1)], 4))
    tr.asked()
    again = "team12.clicks.v1"
    tr.at(10).children("/brokers/topics", [name for name in topics if name != again])
    tr.absent("/brokers/topics/" + again)
    tr.at(12).children("/brokers/topics", list(topics))
    tr.node("/brokers/topics/" + again, topic(assignment(again, 4, 3)))
    for p, st in enumerate(states[again]):
        tr.node("/brokers/topics/%s/partitions/%d/state" % (again, p), st)
    tr.at(20).children("/admin/delete_topics", ["tmp.load-test"])
    tr.children("/brokers/topics", [name for name in topics if name != "mail.outbound"])
    tr.absent("/brokers/topics/mail.outbound")
    tr.at(30).conn("up")
    tr.save()


HOSTILE = [
    b"plain", b"esc\x1b[31mred\x1b[0m", b"esc\x1b]0;title\x07", b"bell\x07bs\x08\x08", b"cr\rlf\nnl", b"del\x7f", b"c1\xc2\x9b31m",
    b"bad\xff\xfeutf8", b"cut\xe4\xb8", "wide日本語トピック".encode(), "comb\u0065\u0301\u0301x".encode(),
    "rtl\u202eevil".encode(), "zero\u200bwidth".encode(), "emoji🚀x".encode(), b"L" * 249, ("w" + "中" * 82).encode(),
]


def hostile(folder):
    tr = Trace(os.path.join(folder, "hostile.trace"))
    tr.at(0).conn("up")
    tr.at(1).put("root", rc="ok")
    tr.children("/brokers/ids", ["1"])
    tr.node("/brokers/ids/1", {"version": 1, "host": "evil\x1b[2Jhost\u202e.example", "port": 9092, "jmx_port": -1,
                               "timestamp": str(START)}, START - DAY, True)
    tr.node("/controller", {"version": 1, "brokerid": 1, "timestamp": str(START)}, START - DAY, True)
    tr.node("/controller_epoch", "1", START - DAY)
    tr.node("/cluster/id", {"version": "1", "id": "\x1b[31mred!"}, START - DAY)
    tr.children("/brokers/topics", HOSTILE)
    tr.children("/admin/delete_topics", [])
    tr.absent("/admin/reassign_partitions")
    tr.children("/config/topics", [])
    tr.children("/config/brokers", [])
    for name in HOSTILE:
        tr.node(b"/brokers/topics/" + name, topic([[1, 2]] if name == b"plain" else [[1]]), START - DAY)
        tr.node(b"/brokers/topics/" + name + b"/partitions/0/state", state(1, [1]), START - DAY)
    tr.put("loaded")
    tr.at(20).conn("up")
    tr.save()


def unwell(folder):
    """What banners are for: 1 s poison, 10 s a read-only server, 20 s a migration; nodes that can't be read."""
    tr = Trace(os.path.join(folder, "unwell.trace"))
    topics = {"a.good": (2, 3, 5), "b.bad-json": (2, 3, 5), "c.empty": (1, 1, 5)}
    states = {name: [state(r[0], r) for r in assignment(name, n, rf)] for name, (n, rf, _) in topics.items()}
    tr.at(0).conn("up")
    tr.at(1).put("root", rc="ok")
    load(tr, HOSTS, states, topics, reassign={"version": 1})
    tr.node("/brokers/topics/b.bad-json", "{\"partitions\":{\"0\":[1,", START)
    tr.node("/brokers/topics/c.empty", "", START)
    tr.node("/brokers/topics/a.good/partitions/1/state", "[]", START)
    tr.at(10).absent("/admin/reassign_partitions")
    tr.conn("up", readonly=True)
    tr.at(20).conn("up")
    tr.node("/migration", {"version": 0, "initial_kraft_controller_id": 3000, "kraft_controller_id": 3000,
                           "kraft_controller_epoch": 2, "kraft_metadata_offset": 1, "kraft_metadata_epoch": 2,
                           "last_update_time_ms": START})
    tr.at(30).conn("up")
    tr.save()


def steady(folder):
    """Every 100 ms another topic becomes the worst, for ten seconds; four minutes of quiet behind."""
    tr = Trace(os.path.join(folder, "steady.trace"))
    states = healthy()
    tr.at(0).conn("up")
    tr.put("root", rc="ok")
    load(tr, HOSTS, states, TOPICS)
    names = sorted(TOPICS)
    for i in range(100):
        tr.at(1 + i / 10)
        name, last = names[i % len(names)], names[(i - 1) % len(names)]
        tr.node("/brokers/topics/%s/partitions/0/state" % last, states[last][0])
        tr.node("/brokers/topics/%s/partitions/0/state" % name, dict(states[name][0], isr=states[name][0]["isr"][:1]))
    tr.at(240).conn("up")
    tr.save()


def ripening(folder):
    """A marker without a topic, and then nothing at all for five minutes."""
    tr = Trace(os.path.join(folder, "ripening.trace"))
    tr.at(0).conn("up")
    tr.put("root", rc="ok")
    load(tr, HOSTS, {"a.good": [state(r[0], r) for r in assignment("a.good", 1, 2)]}, {"a.good": (1, 2, 5)}, deleting=("ghost",))
    tr.silent_from = 0
    tr.at(300).conn("up")
    tr.save()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for make in (cluster, nobody, silent, chroot, disks, marks, empty, hostile, unwell, steady, ripening):
        make(sys.argv[1])
