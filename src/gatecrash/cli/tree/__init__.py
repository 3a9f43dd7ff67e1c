"""The process tree of `gatecrash up`.

supervisor (this command)        holds the lock on the data directory, watches and restarts, stops all
├── web      granian             the API
├── worker                       background work
└── node                         proxy, recorder, tester

lock.py        one supervisor a data directory
ports.py       free ports, and clear words where one is taken
leash.py       runs in each child: ends it when the supervisor is gone, however that came about
child.py       one child: start, look, stop, and how long to wait before the next try
supervisor.py  all of them together
prepare.py     runs before them: migrations, first start, the node's token
credentials.py the files that let other commands on this machine in
"""
