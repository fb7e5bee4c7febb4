children /brokers/ids 1 2 3 4
children /brokers/topics a
znode /brokers/topics/a {"version":2,"partitions":{"0":[4,1,2,3]},"adding_replicas":{"0":[4]},"removing_replicas":{"0":[3]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2,3]}
expect topic a moving
expect topic a rf 3
expect topic a count under 0
expect topic a count moving 1
expect topic a count not-preferred 0
expect replica a 0 4 adding
expect replica a 0 3 removing
# An adding member that has joined does not hide one that is missing.
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,3,4]}
expect topic a under
expect topic a count not-preferred 1
expect replica a 0 2 out-of-sync
