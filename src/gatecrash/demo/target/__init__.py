"""The target of the demo: a tea shop's REST API and pages on SQLite, with flaws planted and safe twins beside each.

VULNERABLE ON PURPOSE. Never run it where others can reach it, and never copy from it: operations marked FLAW read files
that they are told, run commands that they are sent, and let anybody into the database. It binds to loopback only, answers
to loopback names only, and holds nothing but invented data. Its files lie in a scratch folder; the flaws that reach
beyond it are fenced in (files.py, commands.py), so that the worst they do is to show /etc/passwd and to run `sleep`.

    http.py          bytes in, bytes out: HTTP/1.1 on asyncio
    store.py         the database: tables, invented rows, sessions
    guards.py        who may call: Bearer, Basic, API key, session cookie
    catalogue.py, accounts.py, pages.py, files.py, commands.py   the operations
    routes.py        the ordered table of operations, and the OpenAPI document made from it
    expectations.py  what a sound tool must say about all of this
"""
