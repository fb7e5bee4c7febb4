# Two servers of different ensembles in one connect string: nothing of the first stays.
at 1000
epoch 1
conn up
children /brokers/ids 1 9
znode /brokers/ids/9 {"host":"b9","port":9092,"jmx_port":-1,"timestamp":"1","version":1}
znode /cluster/id {"version":"1","id":"FIRST"}
loaded
expect broker 9 up
at 9000
epoch 2
conn up
children /brokers/ids 1 2
znode /cluster/id {"version":"1","id":"SECOND"}
loaded
expect broker 1 up
expect broker 2 up
expect no broker 9
