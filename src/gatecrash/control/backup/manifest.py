"""What an archive says of itself, in its first file: enough to check all that follows before any of it is used."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from gatecrash.core.errors import UserError

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database"
RING = "keys/ring"
SECRET = "keys/secret"  # noqa: S105 - a file's name
NODE_TOKEN = "data/node.token"  # noqa: S105 - a file's name
OWNER = "data/credentials.json"
CA_CERTIFICATE = "data/node/ca.pem"
CA_KEY = "data/node/ca.key"
# Every name that an archive may hold: nothing else is written anywhere, so that no name can lead out of a folder.
NAMES = (DATABASE, RING, SECRET, NODE_TOKEN, OWNER, CA_CERTIFICATE, CA_KEY)


class DamagedArchive(UserError):
    """A file is no backup, was cut short, or is not what its manifest says."""


@dataclass(frozen=True)
class Entry:
    """A file of the archive. size: bytes. sha256: in hex."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """program: version that made it. made_at: UNIX time. kind: `sqlite` or `postgresql`; server: its version.

    migrations: those applied, as `app.name`. installation: the random name that its key files carry.
    vault_keys: public names of the keys of what is sealed in it, the first for new values. with_keys: whether they are in it.
    """

    program: str
    made_at: int
    kind: str
    server: str
    migrations: tuple[str, ...]
    installation: str
    vault_keys: tuple[str, ...]
    with_keys: bool
    files: tuple[Entry, ...] = ()

    def entry(self, name: str) -> Entry | None:
        """The file of that name, if it is there."""
        return next((one for one in self.files if one.name == name), None)

    def document(self) -> dict[str, Any]:
        """As it is written."""
        return {"format": FORMAT, **asdict(self)}

    def encode(self) -> bytes:
        """As the archive's first file."""
        return json.dumps(self.document(), indent=1).encode() + b"\n"


def decode(content: bytes) -> Manifest:
    """A manifest read. Raises DamagedArchive where it is none, or of a later format."""
    try:
        table = json.loads(content)
        if table["format"] != FORMAT:
            raise DamagedArchive(
                f"The backup has format {table['format']!r}, and this version knows {FORMAT}: restore it with the version that made it."
            )
        manifest = _manifest(table)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedArchive("The backup's manifest cannot be read: this is no backup of Gatecrash.") from error
    _refuse_odd_files(manifest)
    return manifest


def _manifest(table: dict[str, Any]) -> Manifest:
    files = tuple(Entry(str(one["name"]), _size(one["size"]), str(one["sha256"])) for one in table["files"])
    if table["kind"] not in ("sqlite", "postgresql"):
        raise ValueError(table["kind"])
    if not str(table["installation"]).isalnum():  # it becomes part of a file's name
        raise ValueError(table["installation"])
    return Manifest(
        program=str(table["program"]),
        made_at=_size(table["made_at"]),
        kind=table["kind"],
        server=str(table["server"]),
        migrations=tuple(map(str, table["migrations"])),
        installation=str(table["installation"]),
        vault_keys=tuple(map(str, table["vault_keys"])),
        with_keys=table["with_keys"] is True,
        files=files,
    )


def _size(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(value)
    return value


def _refuse_odd_files(manifest: Manifest) -> None:
    names = [one.name for one in manifest.files]
    odd = [name for name in names if name not in NAMES]
    if odd or len(set(names)) != len(names) or DATABASE not in names:
        raise DamagedArchive(
            f"The backup holds {odd[0]!r}, which no backup does."
            if odd
            else "The backup's list of files makes no sense."
        )
