# Elected while a broker is down, a controller counts all as not deleted, and their logs are made again, empty.
scene a-on-three-brokers
at 1010000
children /brokers/ids 1 2
at 1020000
children /admin/delete_topics a
stat czxid=30 ctime=1020000
znode /admin/delete_topics/a
stat mtime=1020050
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":-1,"version":1,"leader_epoch":6,"isr":[2]}
at 1033000
dir /d1
dir /d2
disks 1
dir /d1
dir /d2
disks 2
at 1050000
stat ctime=1050000 mtime=1050000 owner=8 czxid=50
znode /controller {"version":1,"brokerid":2,"timestamp":"1050000"}
stat mtime=1050000
znode /controller_epoch 6
expect deletion a replica 0 1 phase waiting likely state Online likely rule R6
expect deletion a replica 0 3 phase waiting certain state Offline certain rule R1
at 1064000
dir /d1
dir /d2
holds a 0 size=0
disks 1
dir /d1
dir /d2
holds a 0 size=0
disks 2
expect deletion a waiting certain T4 broker-down 3 certain
expect deletion a replica 0 1 phase waiting certain state Online certain rule R11
expect deletion a replica 0 2 phase waiting certain state Online certain rule R11
expect deletion a count waiting 3
