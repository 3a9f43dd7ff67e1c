"""Which server a data directory's service keeps its data on, where it was told of one.

Without it a command that is not told of the server would take a new, empty file for the installation, and the service
started so would begin a second one beside the first.
"""

from pathlib import Path
from urllib.parse import urlsplit

from gatecrash.core.errors import UserError

FILE = "database-server"


class ServerNotNamed(UserError):
    """The data lies on a server, and nothing says so."""


def remember(data_dir: Path, url: str) -> None:
    """Keep where the server is, and neither user nor password; forget it where the database is a file that was named."""
    file = data_dir / FILE
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        file.unlink(missing_ok=True)
        return
    told = f"{parts.netloc.rpartition('@')[2]}{parts.path}\n"
    if not file.exists() or file.read_text(encoding="utf-8") != told:
        file.write_text(told, encoding="utf-8")


def refuse_unnamed(data_dir: Path) -> None:
    """Raises ServerNotNamed where the service was last started on a server."""
    file = data_dir / FILE
    if not file.exists():
        return
    raise ServerNotNamed(
        f"The service of {data_dir} keeps its data in PostgreSQL at {file.read_text(encoding='utf-8').strip()}: name it with "
        f"--database-url or GATECRASH_DATABASE_URL. Where a file is meant from now on, remove {file}."
    )
