# SPDX-License-Identifier: Apache-2.0
#
# What is to be said of one kill (tests/e2e/kill.sh): at which step it came, by the journal, the slow disk's log and the broker's; and every promise that
# was not kept. Prints "step NAME", "asked N known N unknown N", and "bad CLAIM: what". Its argument is the run's folder:
#   report         of killat             slow.log       of slowdisk.so
#   peer.killed    the controller's log up to the moment when it was done with all that was sent ("-" of real brokers: there is no such file)
#   peer.quiet     what was added by the starts after it      peer.again   by the second request
#   journal        as the kill left it   topics         the names that were there before
#   state.killed, state.again            NAME=there|queued|gone, after the kill and after the second request
#   said.NAME      of kafops: status, and beside it said.NAME.out and .err: journal, table, deletions, dry, again
#
# Or it is "requests", a file with what was intended ("MS TOPIC" a line), and the logs of real brokers (kafka.request.logger=DEBUG): which topics each
# DeleteTopics named, by the broker's own word. Prints "requests N" and "bad CLAIM: what".

import collections
import datetime
import json
import os
import re
import sys

run = sys.argv[1]


def time_ms(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000


def judge_requests(intended, logs):
    first, times, asked, n = {}, collections.Counter(), collections.Counter(), 0
    with open(intended) as f:
        for ms, name in (line.split() for line in f):
            first[name] = min(float(ms), first.get(name, float(ms)))
            times[name] += 1
    for line in (line for log in logs for line in open(log, errors="replace") if "DELETE_TOPICS" in line and "Completed request" in line):
        names = re.search(r'(?:"topicNames":|topic_names=)\[([^\]]*)\]', line)
        took = re.search(r'(?:"totalTimeMs"|totalTime):([0-9.]+)', line)
        if re.search(r'"errorCode":41|error_code=41', line):  # not the controller: it names who is
            continue
        n += 1
        if names is None or took is None:
            print("bad unjournaled: a request that can't be read:", line[:300])
            continue
        began = time_ms(line[:23].replace(",", ".") + "+00:00") - float(took.group(1))
        for name in names.group(1).replace('"', "").split(","):
            name = name.strip()
            asked[name] += 1
            if name not in first or first[name] > began + 1:
                print(f"bad unjournaled: {name} was asked for at {began}, the first intent is of {first.get(name)}")
    for name, count in asked.items():
        if count > 1:
            print(f"bad twice: {name} was asked for {count} times, intended {times[name]} times")
    print("requests", n)


if run == "requests":
    judge_requests(sys.argv[2], sys.argv[3:])
    sys.exit()


def text(name):
    try:
        with open(os.path.join(run, name), "rb") as f:
            return f.read()
    except FileNotFoundError:
        return b""


def words(name):
    return [line.split() for line in text(name).decode().splitlines()]


def bad(claim, what):
    print(f"bad {claim}: {what}")


def states(name):
    return dict(w.split("=") for w in text(name).decode().split() if "=" in w)


class Said:
    def __init__(self, name):
        self.status = int(text("said." + name) or -1)
        self.out = text(f"said.{name}.out").decode("utf-8", "replace")
        self.err = text(f"said.{name}.err").decode("utf-8", "replace")

    def json(self):
        try:
            return json.loads(self.out)
        except ValueError:
            return {"items": [], "warnings": ["no JSON: " + self.out[:200] + self.err[:200]]}


def read_journal():
    """Whole lines with the byte behind each, and whether there is a rest."""
    data = text("journal")
    at, lines = 0, []
    while (end := data.find(b"\n", at)) >= 0:
        if end > at:
            lines.append((end + 1, json.loads(data[at:end])))
        at = end + 1
    return lines, at < len(data)


report = words("report")[0]
is_killed = report[0] == "killed"
time_us = int(report[1 if is_killed else 2])
topics = text("topics").decode().split()
is_real = not os.path.exists(os.path.join(run, "peer.killed"))
slow = [(int(t), step) for t, step in words("slow.log")]
peer = [(int(w[0]), w[1], int(w[2]), w[3:]) for w in words("peer.killed")]
arrivals = [(t, n, int(rest[0]), dict(w.split("=") for w in rest[1:])) for t, step, n, rest in peer if step == "arrived"]
answered = {n: t for t, step, n, rest in peer if step == "answered"}
lost = {n for t, step, n, rest in peer if step == "lost"}
records, is_torn = read_journal()
intents = [(end, rec) for end, rec in records if rec["phase"] == "intent"]
outcomes = [rec for end, rec in records if rec["phase"] == "outcome"]
killed, again = states("state.killed"), states("state.again")
known = {(rec["id"], it["topic"]) for rec in outcomes for it in rec["items"] if it["outcome"] != "unknown"}
# Of which nobody knows what came: they are left alone for ten minutes.
held = {it["topic"] for end, rec in intents for it in rec["items"] if (rec["id"], it["topic"]) not in known and killed.get(it["topic"]) == "there"}


# ---- at which step ----

def step():
    if not is_killed:
        return "ended-before"
    if not intents:
        return "in-the-middle-of-the-intent" if is_torn else "before-the-intent"
    done = {it["topic"] for oc in outcomes for it in oc["items"]}
    if done >= {it["topic"] for it in intents[0][1]["items"]}:
        return "after-the-last-outcome"
    if not any(s == "written" for t, s in slow) or not any(s == "synced" for t, s in slow):
        return "between-intent-and-sync"
    if is_real:
        return step_of_real(done)
    sent = len(arrivals)
    if sent == 0:
        return "synced-and-not-sent"
    if is_torn:
        return "in-the-middle-of-an-outcome"
    if sent == len(outcomes):
        return "between-groups"
    last = arrivals[-1][1]
    return "between-answer-and-outcome" if last in lost or answered.get(last, time_us + 1) <= time_us else "in-flight"


def step_of_real(done):
    """The broker's word is not at hand: what was written down so far, and whether any topic of the next group went."""
    if is_torn:
        return "in-the-middle-of-an-outcome"
    went = {name for name, st in killed.items() if st != "there"}
    if went - done:
        return "in-flight-or-answered"
    return "between-groups" if done else "synced-and-not-sent"


# ---- the journal ----

def judge_journal():
    js, table = Said("journal").json(), Said("table")
    warnings = "\n".join(js["warnings"])
    if Said("journal").status != 0 or table.status != 0:
        bad("journal", f"kafops journal ended with {Said('journal').status} and {table.status}: {warnings} {table.err}")
    if len(js["items"]) != len(records):
        bad("journal", f"{len(records)} lines, {len(js['items'])} are shown")
    if ("has no end" in warnings) != is_torn:
        bad("journal", f"a torn line: {is_torn}; told: {warnings}")
    for end, rec in intents:
        if sorted(it["topic"] for it in rec["items"]) != sorted(topics):
            bad("unknown", "the intent does not say what was asked for")
        done = {it["topic"] for oc in outcomes if oc["id"] == rec["id"] for it in oc["items"]}
        n, n_open = len(rec["items"]), len(rec["items"]) - len(done)
        print(f"asked {n} known {len(done)} unknown {n_open}")
        is_told = f"{rec['id']}: what came of {n_open} of {n} is not known: see whether they are still there, or queued for deletion" in warnings
        if is_told != (n_open > 0) or ("OUTCOME UNKNOWN" in table.out) != (n_open > 0):
            bad("unknown", f"{n_open} of {n} without outcome; told: {warnings} {table.out}")
    for oc in outcomes:
        for it in oc["items"]:
            if it["outcome"] == "taken" and killed.get(it["topic"]) == "there":
                bad("unknown", f"{it['topic']} was taken, says the journal, and is there")
            if it["outcome"] == "refused" and not (it["text"] or "").startswith("not sent"):
                bad("unknown", f"{it['topic']} was refused: {it['text']}")


# ---- what was sent ----

def judge_sent():
    for t, n, size, names in arrivals:
        written = {it["topic"] for end, rec in intents if end <= size for it in rec["items"]}
        if not set(names) <= written:
            bad("unjournaled", f"request {n} has {sorted(set(names) - written)}, which no intent before it has")
        if not any(s == "synced" and at <= t for at, s in slow):
            bad("unjournaled", f"request {n} came before the intent was synced")
        if set(names.values()) != {"there"}:
            bad("twice", f"request {n} asks for what is queued or gone: {names}")
    if is_real and not intents and any(killed[name] != "there" for name in topics):
        bad("unjournaled", "topics went, and there is no intent")


# ---- the next start ----

def status_of(want, done):
    """Of kafops delete, where these are the actions of the topics that match."""
    if not want:
        return 1
    if "refused" not in want.values():
        return 0
    return 5 if done in want.values() else 3


def judge_quiet():
    if text("peer.quiet"):
        bad("quiet", text("peer.quiet").decode())
    if states("state.quiet") != killed:
        bad("quiet", "topics went, or were queued, by the start after it")


def judge_shown():
    dry, dl = Said("dry"), Said("deletions")
    got = {it["topic"]: it["action"] for it in dry.json()["items"]}
    want = {name: {"there": "would-delete", "queued": "already-queued"}[killed[name]] for name in topics if killed[name] != "gone"}
    want.update((name, "refused") for name in held)
    if got != want or dry.status != status_of(want, "would-delete"):
        bad("cluster", f"delete without --execute ends with {dry.status}, {dry.err}, says {got}, it is {want}")
    ends = {"done", "recreated", "resurrected", "refused", "marker-removed"}
    shown = {it["topic"]: it["state"] for it in dl.json()["items"] if it["topic"] in topics}
    queued = {name for name, st in shown.items() if st not in ends}
    if queued != {name for name in topics if killed[name] == "queued"} or dl.status != 0:
        bad("cluster", f"deletions ends with {dl.status}, {dl.err}, says {shown}, it is {killed}")
    if any(killed.get(name) != "gone" for name, st in shown.items() if st == "done"):
        bad("cluster", f"done, says deletions: {shown}, it is {killed}")


# ---- the same once more ----

def judge_again():
    there = {name for name in topics if killed[name] == "there"} - held
    asked = [w for line in words("peer.again") if line[1] == "arrived" for w in line[4:]]
    said = Said("again")
    if not is_real and sorted(asked) != sorted(name + "=there" for name in there):
        bad("twice", f"asked again for {sorted(asked)}, there were {sorted(there)}")
    got = {it["topic"] for it in said.json()["items"] if it["action"] == "requested"}
    if got != there or (there and said.status != (5 if held else 0)):
        bad("twice", f"the second request ends with {said.status}, {said.err}, says it asked for {sorted(got)}, there were {sorted(there)}")
    if any((again.get(name) == "there") != (name in held) for name in topics):
        bad("twice", f"after the second request others are there than {sorted(held)}: {again}")


def tell_intended():
    with open(os.path.join(run, "state/kafops/journal"), "rb") as f:
        for line in f:
            if b'"phase":"intent"' in line and line.endswith(b"}\n"):
                rec = json.loads(line)
                for it in rec["items"]:
                    print("intended", int(time_ms(rec["at"])), it["topic"])


print("step", step())
judge_journal()
judge_sent()
judge_quiet()
judge_shown()
judge_again()
if is_real and os.path.exists(os.path.join(run, "state/kafops/journal")):
    tell_intended()
