# A marker taken away cancels nothing; a controller elected then brings the topic back, emptied.
scene a-on-three-brokers
at 1010000
children /brokers/ids 1 2
at 1020000
children /admin/delete_topics a
stat czxid=30 ctime=1020000
znode /admin/delete_topics/a
stat mtime=1020050
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":-1,"version":1,"leader_epoch":6,"isr":[2]}
at 1022000
dir /d1
dir /d2
disks 1
dir /d1
dir /d2
disks 2
lives 1 2
says-unknown a
metadata 1 some controller=1
at 1033000
children /admin/delete_topics
expect deletion a waiting certain T10a broker-down 3 certain forgotten - certain
expect deletion a act Put the marker again
at 1050000
stat ctime=1050000 mtime=1050000 owner=8 czxid=50
znode /controller {"version":1,"brokerid":2,"timestamp":"1050000"}
stat mtime=1050000
znode /controller_epoch 6
stat mtime=1050100
znode /brokers/topics/a/partitions/0/state {"controller_epoch":6,"leader":2,"version":1,"leader_epoch":7,"isr":[2]}
expect deletion a resurrected certain T10b
expect deletion a act keep brokers that still hold its data down
