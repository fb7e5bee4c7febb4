/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How each kind of disagreement is told, and for how long it is held back. What lags in a healthy cluster, and how much:
 *   the controller takes a new reassignment, topic or marker    milliseconds; the larger the plan, the longer
 *   a new controller does what the one before left             under a second
 *   brokers tell of an ISR before Kafka 2.7                    5 s, up to 60 s while others change (ReplicaManager.maybePropagateIsrChanges)
 *   metadata, the controller's moves; log dirs                  asked every 5 s; every 30 s, or more rarely where answers are long
 */
#include "core/truths_parts.h"

enum { SECOND = 1000, MINUTE = 60000 };

const struct truth_rule truth_rules[TRUTH_KINDS] = {
	[TRUTH_REASSIGN_NO_LIST] = {
		.name = "reassignment node without a list", .group = GROUP_REASSIGN, .is_poison = true,
		.next = "Requests to change assignments (AlterPartitionReassignments) are not answered. From the next election on each "
			"controller fails at once, ten times a second, until the node is gone.",
		.mends = "Delete the node before the next election: zookeeper-shell HOST delete /admin/reassign_partitions. "
			"Moves under way go on. Submit new ones by " REASSIGN_TOOL ": a node made next may go unnoticed.",
	},
	[TRUTH_REASSIGN_QUOTED] = {
		.name = "reassignment node with quoted broker ids", .group = GROUP_REASSIGN, .is_poison = true,
		.next = "A controller that takes the entry, at the latest the next one elected, writes the strings into the topic node; "
			"at the election after that no controller can start.",
		.mends = "Before the next election reassign those partitions to the replicas they have now, in their order "
			"(" REASSIGN_TOOL " --execute --additional): that takes the entries out. Then look whether a topic node has strings.",
	},
	[TRUTH_TOPIC_QUOTED] = {
		.name = "topic node with quoted broker ids", .group = GROUP_TOPICS, .is_poison = true,
		.next = "Its partitions go on serving until the next election. After that no controller can start: no leader is "
			"elected, and no topic made, moved or deleted.",
		.mends = "Keep the controller running. Before the next election reassign the partition to the replicas it had (" REASSIGN_TOOL
			" --execute --additional): that restores the node, though it answers with an unexpected error. After one, and where the tool gets "
			"no answer (Kafka 2.5), write the node by hand: numbers, and no adding or removing replicas; then let another controller be elected.",
	},
	[TRUTH_REASSIGN_LEFTOVER] = {
		.name = "leftover reassignment entry", .group = GROUP_REASSIGN, .is_poison = true, .hold = 30 * SECOND, .by_controller = true,
		.next = "The next election of a controller executes it as a new reassignment.",
		.mends = "Reassign the partition by " REASSIGN_TOOL " --execute, to the replicas it has "
			"now, in their order, or to those still wanted: that takes the entry out. The tool wants all their brokers up. Deleting the "
			"node is no cure: one made after it may go unnoticed.",
	},
	[TRUTH_ELECTION_STORM] = {
		.name = "election storm", .group = GROUP_CLUSTER, .is_poison = true,
		.next = "No controller stays long enough to work: no leader is elected when a broker fails, and no topic made, moved or deleted.",
		.mends = "Look for the other poison in this list, and in controller.log for the error after each election. Without one: "
			"brokers that lose their ZooKeeper sessions (long pauses, a slow ensemble).",
	},
	[TRUTH_FOREIGN_BROKERS] = {
		.name = "brokers of another cluster", .group = GROUP_CLUSTER,
		.next = "Nothing they say is taken: log dirs, sizes and the controller's moves are not known.",
		.mends = "Give bootstrap servers, or a listener, of the cluster that this ZooKeeper has. If they are: look where the names and "
			"ports in /brokers/ids lead from here (tunnels, name servers).",
	},
	[TRUTH_CONTROLLER_DIFFERS] = {
		.name = "another controller in metadata", .group = GROUP_CLUSTER, .hold = 15 * SECOND, .answers = 3, .by_controller = true,
		.next = "Clients of that broker send what is for the controller to the wrong one, which refuses it.",
		.mends = "It usually ends within a second of an election. If it stays: look whether the controller reaches that broker "
			"(its log, the network); restart the broker, not the controller.",
	},
	[TRUTH_ZOMBIE_REASSIGNMENT] = {
		.name = "zombie reassignment", .group = GROUP_MOVES, .hold = 15 * SECOND, .answers = 3, .by_controller = true,
		.next = "Nobody goes on with it now; the next election of a controller resumes it from the topic node.",
		.mends = "Submit it again, or the replicas wanted instead: " REASSIGN_TOOL " --execute.",
	},
	[TRUTH_ORPHAN_REPLICA] = {
		.name = "orphan replica", .group = GROUP_DISKS, .hold = 45 * SECOND, .answers = 2,
		.next = "It stays for good, across restarts too. If a topic of this name is made again and this partition falls to this broker, "
			"up to Kafka 2.8 the old records are served as the new topic's; with topic ids (3.x) the broker refuses the replica.",
		.mends = "Make sure that nobody needs the records, stop the broker, remove the partition's directory from the log dir, start it again.",
	},
	[TRUTH_ORPHAN_ADOPTED] = {
		.name = "orphan replica of a living topic", .group = GROUP_DISKS, .hold = 45 * SECOND, .answers = 2,
		.next = "It stays for good, across restarts too. If this partition is given to this broker, it begins with what lies there: of "
			"an earlier topic of this name the old records (up to Kafka 2.8, where the copy may fail on them and the move never "
			"ends), or the broker refuses it (3.x).",
		.mends = "Left by a move: reassigning the partition to this broker and back removes it. Of an earlier topic of "
			"this name: stop the broker, remove the partition's directory from the log dir, start it again.",
	},
	[TRUTH_NO_STATE_NODES] = {
		.name = "partitions without state nodes", .group = GROUP_TOPICS, .hold = MINUTE, .by_controller = true,
		.next = "They have no leader: nothing is read or written. Metadata doesn't list them, and a deletion by the API answers that there is none.",
		.mends = "A controller elects leaders once one of the assigned brokers is up; look whether all of them are down, "
			"whether there is a controller, and in controller.log for the topic's name.",
	},
	[TRUTH_MARKER_WITHOUT_TOPIC] = {
		.name = "marker without a topic", .group = GROUP_NAMES, .hold = 30 * SECOND, .by_controller = true,
		.next = "A working controller takes it away at once, so this one has not seen it or can't: it is busy, frozen or not there, or "
			"the marker has children.",
		.mends = "It goes by itself with the next marker that the controller looks at, or the next election. Look whether the controller "
			"works on anything else; and for children, which hold it until they are deleted: zookeeper-shell HOST ls -R /admin/delete_topics.",
	},
	[TRUTH_METADATA_LISTS_GONE] = {
		.name = "deleted topic in metadata", .group = GROUP_NAMES, .hold = 15 * SECOND, .answers = 3, .by_controller = true,
		.next = "Clients of that broker go on reading and writing it; it can't be made again there (TOPIC_ALREADY_EXISTS), nor deleted.",
		.mends = "Usual after a topic node was removed by hand: brokers forget it when they are restarted, their log dirs don't. "
			"Restart the brokers that list it, one by one, then look at the orphan replicas.",
	},
	[TRUTH_METADATA_MISSES] = {
		.name = "topic missing in metadata", .group = GROUP_TOPICS, .hold = 15 * SECOND, .answers = 3, .by_controller = true,
		.next = "Clients find no such topic. If its marker was removed while it was being deleted, the deletion goes on; at an election "
			"before its end it comes back, emptied.",
		.mends = "If it is to go, leave it to the deletion, or delete it again once it is back. If not: look in controller.log for its name, and save "
			"what brokers that are down still hold before they are started.",
	},
	[TRUTH_STATE_DIFFERS] = {
		.name = "leader or ISR differs", .group = GROUP_TOPICS, .hold = 20 * SECOND, .answers = 4, .by_controller = true,
		.next = "Clients of that broker ask the wrong leader and are refused until it learns of the right one; tools that ask brokers show another ISR.",
		.mends = "Metadata follows the controller's next word on the partition. If it stays: look whether the controller reaches "
			"that broker and in its log for errors of UpdateMetadata; a restart of that broker gets it all anew. If somebody wrote the state node: "
			"let another controller be elected, which reads it.",
	},
	[TRUTH_DIR_OFFLINE] = {
		.name = "log dir offline", .group = GROUP_DISKS,
		.next = "Its replicas are out of sync; a partition that had no other one in sync has no leader. It stays so until the broker is restarted, "
			"also when the disk is well again. No copy between its log dirs can start. Without any dir left the broker halts.",
		.mends = "Look in the broker's log for the error of the disk. Repair and mount it, or put an empty one in its place, then restart the "
			"broker: what is missing is copied from the leaders. First look for partitions without a leader: their records may lie in that dir alone.",
	},
	[TRUTH_DUPLICATE_FUTURE] = {
		.name = "replica twice on one broker", .group = GROUP_DISKS, .hold = 45 * SECOND, .answers = 2,
		.next = "At its next start the broker may refuse the log dirs, with an error of duplicate log directories.",
		.mends = "Cancel the copy: AlterReplicaLogDirs to the dir that has the replica now. If the broker then still lists both, as "
			"where they are in one dir: stop it, remove the partition's directory that ends in -future, start it again.",
	},
	[TRUTH_THROTTLE_LEFT] = {
		.name = "throttle without a move", .group = GROUP_THROTTLES, .hold = 5 * MINUTE,
		.next = "It limits the next move, and followers that have fallen behind, perhaps so much that they never catch up.",
		.mends = "When no more moves are to come: kafka-configs --bootstrap-server --alter --delete-config, for this "
			"broker or topic. kafka-reassign-partitions --verify clears the rates of every broker, also those meant to stay.",
	},
};
