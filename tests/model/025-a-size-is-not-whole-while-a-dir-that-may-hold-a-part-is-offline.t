# A broker lists nothing of a dir that is offline: what it assigns and does not find may lie there.
children /brokers/ids 1 2
children /brokers/topics a b
children /admin/delete_topics
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2]}}
stat czxid=6 ctime=100 mtime=100
znode /brokers/topics/b {"version":2,"partitions":{"0":[1,2]}}
dir /d1
holds a 0 size=90
holds b 0 size=5
disks 2
dir /d1 error=56
dir /d2
holds b 0 size=5
disks 1
expect topic a size 90 part
expect topic b size 10 whole
dir /d1
holds a 0 size=90
dir /d2
holds b 0 size=5
disks 1
expect topic a size 180 whole
