# A partition whose state was written between two connections may have been well in between: what it is now was found, not seen.
children /brokers/ids 1 2
children /config/topics a
znode /config/topics/a {"version":1,"config":{"min.insync.replicas":"2"}}
children /brokers/topics a b c
stat czxid=1 mtime=100
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2],"1":[1,2],"2":[1,2],"3":[1,2]}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
stat mtime=110
znode /brokers/topics/a/partitions/1/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
stat mtime=110
znode /brokers/topics/a/partitions/2/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
stat mtime=110
znode /brokers/topics/a/partitions/3/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
loaded
at 2000
stat mtime=1990
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
stat mtime=1990
znode /brokers/topics/a/partitions/1/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
stat mtime=1990
znode /brokers/topics/a/partitions/2/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
stat mtime=1990
znode /brokers/topics/a/partitions/3/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":1,"isr":[1]}
expect partition a 0 since 1990 exact
expect partition a 3 offline-since 1990 exact
epoch 2
at 9000
children /brokers/ids 1 2
stat czxid=1 mtime=100
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2],"1":[1,2],"2":[1,2],"3":[1,2]}}
expect partition a 0 since 1990 exact
# The same write as before: nothing happened in between.
stat mtime=1990
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
expect partition a 0 since 1990 exact
expect partition a 0 under-min-since 1990 exact
# Another, though it says the same.
stat mtime=8000
znode /brokers/topics/a/partitions/1/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
expect partition a 1 since 8000 bound
expect partition a 1 under-min-since 8000 bound
# Two writes may share a millisecond.
stat mtime=1990
znode /brokers/topics/a/partitions/2/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":2,"isr":[1]}
expect partition a 2 since 1990 bound
stat mtime=8500
znode /brokers/topics/a/partitions/3/state {"controller_epoch":2,"leader":-1,"version":1,"leader_epoch":2,"isr":[1]}
expect partition a 3 offline-since 8500 bound
# What is written while we look begins nothing anew.
stat mtime=9500
znode /brokers/topics/a/partitions/1/state {"controller_epoch":2,"leader":1,"version":1,"leader_epoch":1,"isr":[1]}
expect partition a 1 since 8000 bound
