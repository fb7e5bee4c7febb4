stat owner=77
znode /controller {"version":1,"brokerid":3,"timestamp":"1700000000000"}
expect no migration
stat owner=0
znode /controller {"version":2,"brokerid":3000,"timestamp":"1700000000000","kraftControllerEpoch":5}
expect migration
stat owner=78
znode /controller {"version":2,"brokerid":1,"timestamp":"1700000000000","kraftControllerEpoch":-1}
expect no migration
znode /migration {"version":0,"kraft_controller_id":3000,"kraft_controller_epoch":5,"kraft_metadata_offset":1234,"kraft_metadata_epoch":5}
expect migration
absent /migration
expect no migration
