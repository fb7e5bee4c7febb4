# A replica in a log dir that failed waits; the dir is to be mended before the broker is restarted.
scene a-on-three-brokers
at 1010000
dir /d1 error=56
dir /d2
disks 3
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
dir /d1 error=56
dir /d2
disks 3
expect deletion a waiting certain T5 log-dir-offline 3 certain
expect deletion a replica 0 3 phase waiting certain state Offline likely rule R7
expect deletion a why broker 3: dir /d1 offline
expect deletion a act then restart that broker
