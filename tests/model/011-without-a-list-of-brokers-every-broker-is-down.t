# The list of brokers is known to be absent: nobody is registered. That is knowledge, not want of it.
children /brokers/topics a
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
expect broker 1 alive unknown
absent /brokers/ids
expect broker 1 alive absent
expect broker 2 down
expect replica a 0 2 broker-down
expect topic a offline
expect topic a count offline 1
children /brokers/ids 1 2
expect broker 1 alive known
expect topic a ok
at 3000
absent /brokers/ids
expect broker 1 since 3000 exact
expect topic a offline
# A list that can't be read says nothing of who is gone; a registration that was read does of itself.
children /brokers/ids 1 2
znode /brokers/ids/1 {"version":4,"host":"h","port":1,"jmx_port":-1,"endpoints":["PLAINTEXT://h:1"],"timestamp":"1"}
unreadable /brokers/ids no permission to read it
expect broker 1 alive known
expect broker 2 alive unknown
epoch 2
unreadable /brokers/ids no permission to read it
expect broker 1 alive unknown
