"""`python -m gatecrash.demo.target`: the shop as a process of its own, on loopback.

Prints one JSON line with its address when it is ready, and ends when its standard input closes: whoever started it
holds the other end, so it never outlives them.
"""

import asyncio
import json
import sys

from gatecrash.demo.target.http import Conversation
from gatecrash.demo.target.routes import shop
from gatecrash.demo.target.store import Store

HOST = "127.0.0.1"


async def serve(port: int) -> None:
    """Serve until standard input closes. port: 0 for a free one."""
    loop = asyncio.get_running_loop()
    application = shop(Store())
    server = await loop.create_server(lambda: Conversation(application), HOST, port, backlog=512)
    bound = server.sockets[0].getsockname()[1]
    print(json.dumps({"address": f"http://{HOST}:{bound}"}), flush=True)
    async with server:
        await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
