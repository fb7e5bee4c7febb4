children /brokers/ids 1 2
children /brokers/topics a b
children /config/topics b
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2]}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/b {"version":2,"partitions":{"0":[1,2]}}
stat mtime=110
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
expect topic a count min-unknown 1
settings 2 min.insync.replicas=3
expect topic a count min-unknown 1
settings 1 min.insync.replicas=2
expect topic a count min-unknown 0
expect topic a count at-min 1
# Overrides not read yet are not none.
expect topic b count min-unknown 1
znode /config/topics/b {"version":1,"config":{"min.insync.replicas":"1"}}
expect topic b count min-unknown 0
expect topic b count at-min 0
settings 1 min.insync.replicas=3
expect topic a count under-min 1
