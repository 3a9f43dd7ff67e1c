"""Builds the wheel; its hot modules are compiled by mypyc where a C compiler, mypyc and setuptools are present.

The same source stays pure everywhere else: in an editable install, where something is missing, or where compiling fails
(the wheel is built all the same, with a message). The environment decides otherwise:

    GATECRASH_COMPILE=0    never compile
    GATECRASH_COMPILE=1    compile or fail; an isolated build then fetches mypy and setuptools

The sources are in the wheel too: tracebacks show them, and Python takes the compiled module where it fits.
"""

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "src"
HOT = ("gatecrash/core/auth", "gatecrash/core/points")
PURE = (
    "gatecrash/core/auth/families",  # data
    "gatecrash/core/auth/registry.py",  # a list, read once
)
TOOLS = ["mypy>=1.14", "setuptools>=70", "msgspec>=0.19", "orjson>=3.10"]
"""What compiling needs: the last two for their types."""


class CompilingHook(BuildHookInterface):  # type: ignore[type-arg] # generic over a configuration that we do not have
    """Adds the compiled modules to a wheel."""

    def dependencies(self) -> list[str]:
        """What an isolated build has to fetch: nothing, unless compiling is wanted by all means."""
        return TOOLS if _wish() == "1" else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say so where that is not possible. Raises RuntimeError where it was wanted by all means."""
        if version == "editable" or self.target_name != "wheel" or _wish() == "0":
            return
        missing = missing_tools()
        folder = tempfile.mkdtemp(prefix="gatecrash-")
        self._folder = folder
        built, why = ([], f"without {', '.join(missing)}") if missing else compiled(Path(self.root), Path(folder))
        if built:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["force_include"].update({str(path): str(path.relative_to(folder)) for path in built})
            self.app.display_info(f"compiled {len(built)} modules")
        elif _wish() == "1":
            raise RuntimeError(f"GATECRASH_COMPILE=1, and the modules cannot be compiled: {why}")
        else:
            self.app.display_warning(f"the wheel stays pure Python, which is slower and does the same: {why}")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's
        """The wheel is written: the compiled files are in it."""
        shutil.rmtree(getattr(self, "_folder", ""), ignore_errors=True)


def _wish() -> str:
    return os.environ.get("GATECRASH_COMPILE", "")


def missing_tools() -> list[str]:
    """What compiling needs and is not there."""
    missing = [name for name in ("mypyc", "setuptools", "msgspec", "orjson") if importlib.util.find_spec(name) is None]
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        missing.append(f"the C compiler {compiler}")
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").is_file():
        missing.append("Python's header files")
    return missing


def hot_modules(source: Path) -> list[str]:
    """The modules to compile, below the folder.

    A module whose classes take keywords stays pure: mypyc drops them, and a msgspec struct would no longer be frozen.
    """
    found = []
    for place in HOT:
        for path in sorted((source / place).rglob("*.py")):
            name = path.relative_to(source).as_posix()
            if path.name != "__init__.py" and not name.startswith(PURE) and not _has_class_keywords(path):
                found.append(name)
    return found


def _has_class_keywords(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.ClassDef) and node.keywords for node in ast.walk(tree))


def compiled(root: Path, folder: Path) -> tuple[list[Path], str]:
    """The compiled modules, made in the folder, which gets a copy of the source; or none, and why not."""
    shutil.copytree(root / SOURCE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    # In a process of its own: setuptools prints, changes the folder and exits as it likes.
    command = [sys.executable, str(Path(__file__).resolve()), *hot_modules(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own file
    if done.returncode:
        return [], (done.stdout + done.stderr).strip()[-2000:]
    built = [
        path
        for path in folder.rglob("*")
        if path.suffix in (".so", ".pyd") and "build" not in path.relative_to(folder).parts
    ]
    return sorted(built), "mypyc made nothing"


def _compile(names: list[str]) -> None:
    """Compile in the working folder, beside the sources."""
    from mypyc.build import mypycify
    from setuptools import setup

    options = ["--config-file=", "--no-warn-unused-ignores", *names]
    extensions = mypycify(options, opt_level="2", debug_level="0", group_name="gatecrash")
    setup(name="gatecrash", ext_modules=extensions, script_args=["--quiet", "build_ext", "--inplace"])


if __name__ == "__main__":
    _compile(sys.argv[1:])
