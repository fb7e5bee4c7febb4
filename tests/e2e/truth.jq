# SPDX-License-Identifier: Apache-2.0
# The lines of `kafops deletions --watch --json`, slurped, as one picture a topic: what was told last, of its newest deletion.

def by_key: map({ key: "\(.partition)/\(.broker)", value: . }) | from_entries;

def take($line):
  (if $line.event == "queued" then { czxid: $line.czxid, events: .events, attempts: [], replicas: {}, blockers: [] } else . end)
  | if $line.czxid != .czxid then .
    else .state = $line.state | .at = $line.at | .events += [$line.event]
      | if $line.event == "replica" then .replicas["\($line.replica.partition)/\($line.replica.broker)"] = $line.replica
        elif $line.event == "attempt" then .attempts += [$line.trigger]
        elif $line.event == "blocked" or $line.event == "unblocked" then .blockers = $line.blockers | .next = $line.next_trigger
        elif $line.item then .blockers = $line.item.blockers | .next = $line.item.next_trigger
          | if $line.item.replica_states then .replicas = ($line.item.replica_states | by_key) else . end
        else . end
    end;

def pictures: reduce (.[] | select(.topic)) as $line ({}; .[$line.topic] |= take($line));
