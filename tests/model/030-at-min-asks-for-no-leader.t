# As kafka-topics has it: without a leader a partition is under min, and at min if its ISR is as large as that.
children /brokers/ids 1 2
children /brokers/topics a b
children /config/topics a
znode /config/topics/a {"version":1,"config":{"min.insync.replicas":"2"}}
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2],"1":[1,2],"2":[3,2]}}
znode /brokers/topics/b {"version":1,"partitions":{"0":[1,2]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":0,"isr":[1,2]}
znode /brokers/topics/a/partitions/1/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":0,"isr":[1]}
znode /brokers/topics/a/partitions/2/state {"controller_epoch":1,"leader":3,"version":1,"leader_epoch":0,"isr":[3,2]}
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":0,"isr":[1]}
expect partition a 0 under-min yes
expect partition a 0 at-min yes
expect partition a 1 under-min yes
expect partition a 1 at-min no
# A leader that is down is none.
expect partition a 2 under-min yes
expect partition a 2 at-min yes
# Without an override it can't be said, where no leader says what is set.
expect partition b 0 under-min yes
expect partition b 0 at-min undecided
# A topic queued for deletion is neither.
children /admin/delete_topics a
expect partition a 0 under-min no
expect partition a 0 at-min no
