children /brokers/ids 1 2
children /brokers/topics a b c
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,
expect topic a unreadable
expect partition a 0 state unreadable
znode /brokers/topics/b not json
expect topic b unreadable
unreadable /brokers/topics/c no permission to read it
expect topic c unreadable
# What was known before stays known, and heals.
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
expect topic a ok
unreadable /brokers/topics/a no permission to read it
expect topic a unreadable
expect topic a partitions 1
absent /brokers/topics/a/partitions/0/state
expect partition a 0 state absent
znode /brokers/topics/b {"version":1,"partitions":{}}
expect topic b ok
expect topic b partitions 0
