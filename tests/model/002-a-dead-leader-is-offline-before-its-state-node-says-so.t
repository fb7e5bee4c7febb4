children /brokers/ids 1 2
children /brokers/topics a
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2],"1":[2,1]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
znode /brokers/topics/a/partitions/1/state {"controller_epoch":1,"leader":2,"version":1,"leader_epoch":0,"isr":[2,1]}
loaded
expect topic a ok
at 5000
clear
children /brokers/ids 2
expect broker 1 down
expect broker 1 since 5000 exact
expect topic a offline
expect topic a count offline 1
expect replica a 0 1 broker-down
expect changed a
children /brokers/ids 1 2
expect broker 1 up
expect topic a ok
