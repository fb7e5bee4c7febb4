# Measured against ZooKeeper's assignments; the replicas of a topic queued for deletion are none.
children /brokers/ids 1 2
children /brokers/topics a q
children /admin/delete_topics q
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1],"1":[2,1]},"adding_replicas":{"1":[1]},"removing_replicas":{}}
stat czxid=6 ctime=100 mtime=100
znode /brokers/topics/q {"version":2,"partitions":{"0":[1]}}
dir /d1
holds a 0 size=1
holds a 1 size=1
holds a 7 size=1
holds gone 0 size=1
holds q 0 size=1
holds q 3 size=1
disks 1
expect orphan 1 a 0 0
expect orphan 1 a 1 0
expect orphan 1 a 7 1
expect orphan 1 gone 0 1
expect orphan 1 q 0 0
expect orphan 1 q 3 0
expect dir 1 /d1 orphans 2
dir /d1
holds a 0 size=1
holds a 7 size=1
holds gone 0 size=1
holds q 0 size=1
disks 1
expect orphan 1 a 7 2
# A topic made again under the name takes them for its own, another loses them.
children /brokers/topics a q gone
expect dir 1 /d1 orphans 1
stat czxid=7 ctime=100 mtime=100
znode /brokers/topics/gone {"version":2,"partitions":{"0":[1]}}
expect orphan 1 gone 0 0
expect dir 1 /d1 orphans 1
stat czxid=5 ctime=100 mtime=300
znode /brokers/topics/a {"version":2,"partitions":{"0":[2],"7":[1]}}
expect orphan 1 a 0 0
expect orphan 1 a 7 0
# The marker goes after the topic: then what is left is an orphan, counted from the next answer on.
children /brokers/topics a gone
expect orphan 1 q 0 0
children /admin/delete_topics
expect dir 1 /d1 orphans 2
dir /d1
holds q 0 size=1
disks 1
expect orphan 1 q 0 1
