"""`python -m gatecrash.demo.target`: the shop as a process of its own, on loopback.

VULNERABLE ON PURPOSE. Do not change it to listen anywhere else: it hands out files, runs commands and opens its database
to whoever asks.

Prints one JSON line with its address when it is ready, and ends when its standard input closes: whoever started it
holds the other end, so it never outlives them.
"""

import asyncio
import json
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from gatecrash.demo.target.files import lay_out
from gatecrash.demo.target.http import Conversation
from gatecrash.demo.target.routes import shop
from gatecrash.demo.target.store import Store

HOST = "127.0.0.1"
PREFIX = "gatecrash-tea-shop-"


async def serve(store: Store, port: int) -> None:
    """Serve the shop until standard input closes. port: 0 for a free one."""
    loop = asyncio.get_running_loop()
    application, connected = shop(store), set[asyncio.Transport]()
    server = await loop.create_server(lambda: Conversation(application, connected), HOST, port, backlog=512)
    bound = server.sockets[0].getsockname()[1]
    print(json.dumps({"address": f"http://{HOST}:{bound}"}), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()
    # From Python 3.12 a server waits for its clients, and those that keep their connections never leave.
    for transport in list(connected):
        transport.abort()


def run(port: int) -> None:
    """Serve on a scratch folder, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name:
        folder = Path(name).resolve()
        lay_out(folder)
        with closing(Store(folder)) as store:
            asyncio.run(serve(store, port))


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
