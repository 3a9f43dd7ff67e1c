"""The command line: one file a sub-command, loaded only when it is asked for.

main.py       the ordered table of sub-commands, and `main()`
settings.py   where the address, the token and the client come from
api.py        the service over HTTP; refusal.py its errors in plain words
output.py     tables, JSON, messages: what goes to which stream
tree/         the process tree of `gatecrash up`
"""
