# A shrink seen to happen dates from its write; a partition found so, at least from the last write.
children /brokers/ids 1 2 3
children /brokers/topics a b
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2,3]},"adding_replicas":{},"removing_replicas":{}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2,3]}
stat czxid=6 ctime=100 mtime=100
znode /brokers/topics/b {"version":2,"partitions":{"0":[1,2,3]}}
stat mtime=120
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
loaded
expect topic a ok
expect topic b under
expect partition b 0 since 120 bound
clear
at 2000
stat mtime=1990
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":1,"isr":[1]}
expect topic a under
expect topic a count under 1
expect partition a 0 since 1990 exact
expect changed a
expect broker 2 under 1
expect broker 3 under 2
# A second shrink does not begin it anew; healing ends it.
stat mtime=2500
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":1,"isr":[1,2]}
expect partition a 0 since 1990 exact
stat mtime=3000
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":1,"isr":[1,2,3]}
expect topic a ok
expect partition a 0 since 0 bound
expect total under 1
