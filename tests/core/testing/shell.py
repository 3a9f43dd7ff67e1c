"""A shell for lines that payloads stand in, kept within its folder, whoever runs the tests.

What names anything outside of the folder's `files` is not run, but told; root's rights are given up before anything is run.
"""

import os
import re
import subprocess
from pathlib import Path

_NOBODY = 65534
_WITHIN = re.compile(r"(?<![\w./~])files/(?![./~])|/dev/null")
# Waiting is no change; a test has no time for it.
_AT_ONCE = "sleep() { :; }\n"


def leaves(line: str) -> bool:
    """Whether a line may name anything outside: any other path, a way up, a home."""
    rest = _WITHIN.sub("", line)
    return "/" in rest or ".." in rest or "~" in rest


def path_outside(folder: Path, value: str) -> Path | None:
    """The file outside that a value alone names, from within the folder's `files`; None where it is no plain path, and
    for what nobody can write.
    """
    path = Path(os.path.normpath(folder / "files" / value)) if re.fullmatch(r"[\w./-]+", value) else folder / "files"
    return None if path.is_relative_to(folder / "files") or path.is_relative_to("/proc") else path


def run_within(folder: Path, line: str) -> str:
    """What the line prints.

    Raises PermissionError where it may name anything outside of the folder; nothing is run then.
    """
    line = line.replace("\0", "")
    if leaves(line):
        raise PermissionError(f"this may leave the folder: {line}")
    is_root = os.geteuid() == 0
    for each in (folder, *folder.rglob("*")) if is_root else ():
        os.chown(each, _NOBODY, _NOBODY, follow_symlinks=False)
    done = subprocess.run(
        ["/bin/sh", "-c", _AT_ONCE + line],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin"},
        user=_NOBODY if is_root else None,
        group=_NOBODY if is_root else None,
        extra_groups=[] if is_root else None,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.stdout.decode("utf-8", "replace")
