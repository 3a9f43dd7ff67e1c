"""The target of the demo: a tea shop's REST API on SQLite, with a few flaws planted and a safe twin beside each.

It is deliberately vulnerable: it binds to loopback only and holds nothing but invented data.

    http.py          bytes in, bytes out: HTTP/1.1 on asyncio
    store.py         the database: tables, invented rows, sessions
    guards.py        who may call: Bearer, Basic, API key
    catalogue.py, accounts.py   the operations
    routes.py        the ordered table of operations, and the OpenAPI document made from it
    expectations.py  what a sound tool must say about all of this
"""
