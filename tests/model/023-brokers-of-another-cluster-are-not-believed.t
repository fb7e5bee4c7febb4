# Their word came first; ZooKeeper's cluster id shows that it is another's.
lives 1 2
says x 0 leader=1 replicas=1,2 isr=1,2
metadata 1 all controller=1 cluster=theirs
dir /d1
holds x 0 size=10
disks 1
expect topic x size 10 part
children /brokers/ids 1
children /brokers/topics a
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1]}}
znode /cluster/id {"version":"1","id":"ours"}
expect foreign theirs
expect no topic x
expect only-brokers-list -
dir /d1
holds a 0 size=10
disks 1
expect topic a size 0 part
lives 1
says a 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1 cluster=ours
expect foreign -
dir /d1
holds a 0 size=10
disks 1
expect topic a size 10 whole
