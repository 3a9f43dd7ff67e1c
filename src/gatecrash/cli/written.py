"""Files that a command writes for its user: whole or not at all, for a pipeline must never upload half of one."""

from contextlib import suppress
from pathlib import Path

from gatecrash.core.errors import UserError


def save(path: Path, content: bytes) -> None:
    """Write the file. Raises UserError where it cannot be written."""
    part = path.with_name(f".{path.name}.part")
    try:
        if path.exists() and not path.is_file():  # /dev/stdout, a named pipe: to be written to, never replaced
            path.write_bytes(content)
            return
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error


def refuse_unwritable(path: Path) -> None:
    """Look before the work begins whose result is to go there. Raises UserError where it could not be written."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise UserError(f"{path} cannot be written: there is no folder {folder}.")
    if path.is_dir():
        raise UserError(f"{path} cannot be written: it is a folder.")
