# A controller that moves writes the nodes of offline partitions anew (seen with 2.8.2): that begins nothing.
children /brokers/ids 1 2 3 4
children /brokers/topics a b c d e f
stat czxid=1 mtime=100
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2]}}
stat czxid=2 mtime=100
znode /brokers/topics/b {"version":1,"partitions":{"0":[1,2]}}
stat czxid=3 mtime=100
znode /brokers/topics/c {"version":1,"partitions":{"0":[2,1]}}
stat czxid=4 mtime=100
znode /brokers/topics/d {"version":1,"partitions":{"0":[9,1]}}
stat czxid=5 mtime=100
znode /brokers/topics/e {"version":1,"partitions":{"0":[1,2]}}
stat czxid=6 mtime=100
znode /brokers/topics/f {"version":1,"partitions":{"0":[3,4]}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
stat mtime=120
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":3,"isr":[1]}
stat mtime=130
znode /brokers/topics/c/partitions/0/state {"controller_epoch":1,"leader":2,"version":1,"leader_epoch":3,"isr":[2]}
stat mtime=140
znode /brokers/topics/d/partitions/0/state {"controller_epoch":1,"leader":9,"version":1,"leader_epoch":3,"isr":[9]}
absent /brokers/topics/e/partitions/0/state
stat mtime=150
znode /brokers/topics/f/partitions/0/state {"controller_epoch":1,"leader":3,"version":1,"leader_epoch":3,"isr":[3]}
loaded
# Found without a leader: at least since the write that says so. Where there never was one: since the assignment.
expect partition b 0 offline-since 120 bound
expect partition b 0 under-min-since 120 bound
expect partition e 0 offline-since 100 bound
# Found with a leader whose broker is down: at least since now.
expect partition d 0 offline-since 1000 bound
at 2000
stat mtime=1990
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":1,"isr":[1]}
expect partition a 0 offline-since 1990 exact
# Whether the brokers' default made it under-min before isn't known.
expect partition a 0 under-min-since 1990 bound
at 3000
stat mtime=3000
znode /brokers/topics/a/partitions/0/state {"controller_epoch":2,"leader":-1,"version":1,"leader_epoch":2,"isr":[1]}
stat mtime=3000
znode /brokers/topics/b/partitions/0/state {"controller_epoch":2,"leader":-1,"version":1,"leader_epoch":4,"isr":[1]}
expect partition a 0 offline-since 1990 exact
expect partition b 0 offline-since 120 bound
expect partition b 0 under-min-since 120 bound
# The broker goes first; that its partition has no leader is written later.
at 5000
children /brokers/ids 1 3 4
expect partition c 0 offline-since 5000 exact
at 5100
stat mtime=5050
znode /brokers/topics/c/partitions/0/state {"controller_epoch":2,"leader":-1,"version":1,"leader_epoch":4,"isr":[2]}
expect partition c 0 offline-since 5000 exact
# A topic queued for deletion counts none; if it is taken out of the queue, when it lost its leader isn't told by that.
children /admin/delete_topics c
expect partition c 0 offline-since 0 bound
children /admin/delete_topics
expect partition c 0 offline-since 5050 bound
# Healed is healed.
stat mtime=6000
znode /brokers/topics/a/partitions/0/state {"controller_epoch":2,"leader":1,"version":1,"leader_epoch":3,"isr":[1]}
expect partition a 0 offline-since 0 bound
# What went while nobody looked is a bound.
epoch 2
at 9000
children /brokers/ids 1 4
expect broker 3 since 9000 bound
expect partition f 0 offline-since 9000 bound
