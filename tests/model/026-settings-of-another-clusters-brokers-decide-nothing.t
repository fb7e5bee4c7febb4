# They came before the Metadata that tells whose brokers they are.
children /brokers/ids 1 2
children /brokers/topics a
children /config/topics
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2]}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
znode /cluster/id {"version":"1","id":"ours"}
settings 1 min.insync.replicas=3
expect topic a count under-min 1
lives 1 2
metadata 1 all controller=1 cluster=theirs
expect foreign theirs
expect topic a count under-min 0
expect topic a count min-unknown 1
