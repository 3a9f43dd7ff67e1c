"""`python -m tests.e2e.shop PORT FOLDER`: the tea shop, its customer signed in however often the shop is killed.

Its files lie below the folder, for a killed shop cannot take them away. Prints its address as a line of JSON, and ends
when its standard input closes.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from gatecrash.demo.target.files import lay_out
from gatecrash.demo.target.http import Conversation
from gatecrash.demo.target.routes import shop
from gatecrash.demo.target.store import Store

TOKEN = "tGm2vR8nQx5LzKc7WyJd4HbF"
"""Of the first customer. A real shop keeps its sessions in a database that outlives its processes."""


async def serve(port: int, folder: Path) -> None:
    loop = asyncio.get_running_loop()
    lay_out(folder)
    store = Store(folder)
    with store._db:
        store._db.execute("INSERT INTO sessions VALUES (?, 1)", (TOKEN,))
    application = shop(store)
    server = await loop.create_server(lambda: Conversation(application), "127.0.0.1", port, backlog=512)
    print(json.dumps({"address": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"}), flush=True)
    async with server:
        await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="shop-", dir=sys.argv[2]) as scratch:
        asyncio.run(serve(int(sys.argv[1]), Path(scratch).resolve()))
