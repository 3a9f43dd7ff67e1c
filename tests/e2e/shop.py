"""`python -m tests.e2e.shop PORT FOLDER`: the tea shop, its customer signed in however often the shop is killed.

Its files lie below the folder, for a killed shop cannot take them away. Prints its address as a line of JSON, and ends
when its standard input closes.
"""

import asyncio
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from gatecrash.demo.target.__main__ import serve
from gatecrash.demo.target.files import lay_out
from gatecrash.demo.target.store import Store

TOKEN = "tGm2vR8nQx5LzKc7WyJd4HbF"
"""Of the first customer. A real shop keeps its sessions in a database that outlives its processes."""


def run(port: int, folder: Path) -> None:
    lay_out(folder)
    with closing(Store(folder)) as store:
        with store._db:
            store._db.execute("INSERT INTO sessions VALUES (?, 1)", (TOKEN,))
        asyncio.run(serve(store, port))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="shop-", dir=sys.argv[2]) as scratch:
        run(int(sys.argv[1]), Path(scratch).resolve())
