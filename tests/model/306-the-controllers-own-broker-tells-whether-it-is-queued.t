# Whether a marker was taken up is told by the controller's own broker; whoever does not ask it can't be certain.
scene a-on-three-brokers
at 1020000
children /admin/delete_topics a
stat czxid=30 ctime=1020000
znode /admin/delete_topics/a
at 1060000
expect deletion a queued certain T1 unknown - likely
lives 1 2 3
says a 0 leader=2 epoch=3 replicas=1,2,3 isr=1,2,3
metadata 1 some controller=1
expect deletion a queued certain T1 ineligible-left-over - guess
expect deletion a replica 0 1 phase not-begun certain rule R5
says-unknown a
lives 1 2 3
metadata 1 some controller=1
expect deletion a queued certain T2 no-trigger - likely
