# A broker that is down since before the marker keeps its replica; the others are deleted, and after ten seconds all phases are certain.
scene a-on-three-brokers
at 1010000
children /brokers/ids 1 2
at 1020000
children /admin/delete_topics a
stat czxid=30 ctime=1020000
znode /admin/delete_topics/a
expect deletion a queued certain T1
expect deletion a replica 0 1 phase not-begun certain state Online certain rule R5
stat mtime=1020050
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":-1,"version":1,"leader_epoch":6,"isr":[2]}
expect deletion a replica 0 1 phase running likely state Started likely rule R4
at 1033000
dir /d1
dir /d2
disks 1
dir /d1
dir /d2
disks 2
expect deletion a waiting certain T4 broker-down 3 certain
expect deletion a replica 0 1 phase done certain state Successful likely rule R2
expect deletion a replica 0 2 phase done certain state Successful likely rule R2
expect deletion a replica 0 3 phase waiting certain state Offline likely rule R1
expect deletion a count done 2
expect deletion a count waiting 1
expect deletion a why broker 3 down
expect deletion a next When broker 3 registers, the controller tries again by itself.
expect deletion a act an empty broker with the same id
# A moment later the controller has heard of it, too.
at 1037000
link 1 up
expect deletion a replica 0 1 phase done certain state Successful certain rule R2
expect deletion a replica 0 2 phase done certain state Successful certain rule R2
