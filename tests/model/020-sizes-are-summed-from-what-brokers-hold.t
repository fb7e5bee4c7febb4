children /brokers/ids 1 2
children /brokers/topics a b
children /admin/delete_topics
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2]}}
stat czxid=6 ctime=100 mtime=100
znode /brokers/topics/b {"version":2,"partitions":{"0":[2]}}
dir /d1
holds a 0 size=100
dir /d2
holds a 0 size=30 lag=7 future
clear
disks 1
expect topic a size 100 part
expect changed a
expect dir 1 /d1 replicas 1
expect dir 1 /d1 size 100
expect dir 1 /d2 future 1
expect dir 1 /d2 replicas 0
dir /d1
holds a 0 size=90
holds b 0 size=5
clear
disks 2
expect topic a size 190 whole
expect topic b size 5 whole
expect changed a b
# The same again changes nothing.
dir /d1
holds a 0 size=90
holds b 0 size=5
clear
disks 2
expect changed -
# What went is taken out again; a refusal keeps what was known.
dir /d1
holds b 0 size=6
disks 2
expect topic a size 100 whole
expect topic b size 6 whole
refuses-disks 2
expect topic b size 6 whole
# A topic known only after its replicas were.
dir /d1
holds b 0 size=6
holds c 0 size=9
disks 2
children /brokers/topics a b c
expect topic c size 9 part
