children /brokers/ids 1
children /brokers/topics a
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,9]}}
expect broker 9 down
expect broker 9 replicas 1
expect broker 9 since 0 bound
znode /brokers/topics/a {"version":1,"partitions":{"0":[1]}}
expect no broker 9
children /brokers/topics
expect broker 1 replicas 0
expect no topic a
