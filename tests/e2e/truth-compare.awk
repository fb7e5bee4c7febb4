# SPDX-License-Identifier: Apache-2.0
#
# Two timelines of each replica side by side: the controllers' own, and what kafops claimed.
#
#   awk -v window=MS -f truth-compare.awk LOG CLAIMS
#
# LOG     by time, lines of the controllers' logs: "Changed state of replica B for partition T-P from X to Y"; and of brokers', which
#         deleted a replica before the controller heard of it: "DATE TIME Log for partition T-P is renamed to B"
# CLAIMS  tab separated: time, topic, czxid, partition, broker, phase, its certainty, state, its certainty;
#         or: time, topic, czxid, "end"
#
# A claim stands until the next one about its replica, or the deletion's end. A certain one agrees when at each moment that it stands
# the log shows the state at some moment between that one and `window` before: facts are as old as the last poll. Of a phase
# the log shows the states that it stands for. Prints for each topic "compared TOPIC CLAIMS", for a claim that
# is not so "wrong TOPIC ..." with both timelines, and for each end "ended TOPIC MS": so long after the controller's last state change.

function days(y, m, d,    era, yoe, doy)
{
    y -= m <= 2
    era = int(y / 400)
    yoe = y - era * 400
    doy = int((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + d - 1
    return era * 146097 + yoe * 365 + int(yoe / 4) - int(yoe / 100) + doy - 719468
}

# "2026-01-02T03:04:05.678Z" and "2026-01-02 03:04:05,678", in ms
function ms(s)
{
    return ((days(substr(s, 1, 4) + 0, substr(s, 6, 2) + 0, substr(s, 9, 2) + 0) * 24 + substr(s, 12, 2)) * 60 + substr(s, 15, 2)) * 60000 \
        + substr(s, 18, 2) * 1000 + substr(s, 21, 3)
}

function clock(t) { return sprintf("%02d:%02d:%02d.%03d", t / 3600000 % 24, t / 60000 % 60, t / 1000 % 60, t % 1000) }

function put_state(key, t, state)
{
    n[key]++
    at[key, n[key]] = t
    is[key, n[key]] = state
}

# ---- the controllers' log ----

FNR == NR && / is renamed to / {
    split($0, f, " ")
    topic = part = f[6]
    sub(/-[0-9]+$/, "", topic)
    sub(/.*-/, "", part)
    key = topic "/" part "/" f[split($0, g, " ")]
    if (key in n && is[key, n[key]] == "ReplicaDeletionStarted") {
        # The line comes last: before it the log leaves the list of those that are told, and its directory is renamed.
        t = ms($0) - 2000
        put_state(key, t > at[key, n[key]] ? t : at[key, n[key]], "ReplicaDeletionStarted, deleted")
        touched[key, n[key]] = begun[topic]
    }
    next
}

FNR == NR {
    if (!match($0, /Changed state of replica [0-9]+ for partition [^ ]+ from [A-Za-z]+ to [A-Za-z]+/))
        next
    split(substr($0, RSTART, RLENGTH), f, " ")
    # "Changed state of replica B for partition T-P from X to Y"
    if (match($0, /epoch=[0-9]+/) && (epoch = substr($0, RSTART + 6, RLENGTH - 6) + 0) < newest)
        next    # one that does not know yet that it is no controller any more
    newest = epoch
    topic = part = f[8]
    sub(/-[0-9]+$/, "", topic)
    sub(/.*-/, "", part)
    key = topic "/" part "/" f[5]
    t = ms($0)
    if (f[10] == "NonExistentReplica" || !(key in n)) {
        put_state(key, t, f[10])
        if (f[10] == "NonExistentReplica")
            begun[topic] = 0
    } else if (!agrees_state(f[10], key, n[key]))
        put_state(key, t, f[10])    # as a new controller supposes at its start
    if (f[12] == "ReplicaDeletionStarted" && !begun[topic])
        begun[topic] = t
    put_state(key, t, f[12])
    touched[key, n[key]] = begun[topic]
    next
}

# ---- what was claimed ----

function agrees_phase(phase, key, i)
{
    s = is[key, i]
    if (phase == "not-begun") return s ~ /^(New|Online|Offline)Replica$|Ineligible$/ && !touched[key, i]
    if (phase == "running") return s ~ /^ReplicaDeletionStarted/
    if (phase == "waiting") return s ~ /^(Online|Offline)Replica$|Ineligible$/
    if (phase == "done") return s ~ /^(ReplicaDeletionSuccessful|NonExistentReplica)$|, deleted$/
    return 0
}

function agrees_state(what, key, i) { return is[key, i] == what || is[key, i] == what ", deleted" }

function timeline(key, from, to,    i, s)
{
    for (i = 1; i <= n[key]; i++)
        if ((i == n[key] || at[key, i + 1] >= from - 2 * window) && at[key, i] <= to)
            s = s " " clock(at[key, i]) " " is[key, i]
    return s
}

function wrong(topic, key, what, from, to, where)
{
    printf "wrong %s replica %s: certain %s from %s to %s, at %s the log has not; log:%s; claims:%s\n", topic, key, what, clock(from), clock(to), clock(where), timeline(key, from, to), said[key]
}

# check: what is claimed of phase (kind 1) or state (2), from t1 to t2.
function check(key, topic, kind, what, t1, t2,    i, g1, g2, lo, hi)
{
    if (t2 <= t1)
        return
    compared[topic]++
    if (!(key in n)) {
        wrong(topic, key, what, t1, t2, t1)
        return
    }
    for (i = 0; i <= n[key]; i++) {
        if (i > 0 && (kind == 1 ? agrees_phase(what, key, i) : agrees_state(what, key, i)))
            continue
        # States that don't agree, one after the other, are one gap.
        g1 = i > 0 ? at[key, i] : 0
        while (i < n[key] && !(kind == 1 ? agrees_phase(what, key, i + 1) : agrees_state(what, key, i + 1)))
            i++
        g2 = i < n[key] ? at[key, i + 1] : 9e15
        lo = g1 + window > t1 ? g1 + window : t1
        if (g1 == 0)
            lo = t1
        hi = g2 < t2 ? g2 : t2
        if (lo < hi) {
            wrong(topic, key, what, t1, t2, lo)
            return
        }
    }
}

# ended TOPIC: when its replicas were last made NonExistent before T; 0: never.
function ended(topic, t,    key, i, newest_at)
{
    newest_at = 0
    for (key in n)
        for (i = n[key]; i > 0; i--)
            if (index(key, topic "/") == 1 && is[key, i] == "NonExistentReplica" && at[key, i] <= t) {
                if (at[key, i] > newest_at)
                    newest_at = at[key, i]
                break
            }
    return newest_at
}

function close_claim(key, t)
{
    if (!(key in since))
        return
    if (phase_c[key] == "certain")
        check(substr(key, index(key, " ") + 1), topic_of[key], 1, phase[key], since[key], t)
    if (state_c[key] == "certain")
        check(substr(key, index(key, " ") + 1), topic_of[key], 2, state[key], since[key], t)
    delete since[key]
}

BEGIN { FS = "\t" }

{
    t = ms($1)
    last = t
    if ($4 == "end") {
        if ((begun_at = ended($2, t)) > 0)
            print "ended", $2, t - begun_at
        for (key in since)
            if (topic_of[key] == $2 && index(key, $3 " ") == 1)
                close_claim(key, t)
        next
    }
    name = $2 "/" $4 "/" $5
    key = $3 " " name
    said[name] = said[name] " " clock(t) " " $6 "(" $7 ") " $8 "(" $9 ")"
    # A claim that goes on is one.
    if (key in since && phase[key] == $6 && phase_c[key] == $7 && state[key] == $8 && state_c[key] == $9)
        next
    close_claim(key, t)
    since[key] = t
    topic_of[key] = $2
    phase[key] = $6; phase_c[key] = $7; state[key] = $8; state_c[key] = $9
}

END {
    for (key in since)
        close_claim(key, last)
    for (topic in compared)
        print "compared", topic, compared[topic]
}
