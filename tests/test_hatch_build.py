"""The wheel: compiled where that is possible, and then the same in all that detection and points are tested for."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatch_build import hot_modules, missing_tools

ROOT = Path(__file__).resolve().parent.parent
CHECKED = """
import sys
from pathlib import Path
from gatecrash.core.auth import recogniser
from gatecrash.core.points import walk
from gatecrash.core.points.formats import json
for module in (recogniser, walk, json):
    assert Path(module.__file__).is_relative_to(sys.argv[1]), module.__file__
    assert module.__file__.endswith((".so", ".pyd")), module.__file__
"""


def built(folder: Path, wish: str) -> Path:
    environment = os.environ | {"GATECRASH_COMPILE": wish}
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_a_module_whose_classes_take_keywords_stays_pure(tmp_path: Path) -> None:
    folder = tmp_path / "gatecrash" / "core" / "points"
    folder.mkdir(parents=True)
    (tmp_path / "gatecrash" / "core" / "auth").mkdir()
    (folder / "frozen.py").write_text("class A(Struct, frozen=True):\n    a: int\n")
    (folder / "plain.py").write_text("class A(Struct):\n    a: int\n")
    assert hot_modules(tmp_path) == ["gatecrash/core/points/plain.py"]


def test_the_hot_modules_are_among_those_compiled() -> None:
    hot = hot_modules(ROOT / "src")
    assert {f"gatecrash/core/{name}.py" for name in ("auth/recogniser", "points/walk", "points/rewrite")} <= set(hot)


def test_a_wheel_that_shall_be_pure_is(tmp_path: Path) -> None:
    wheel = built(tmp_path, "0")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".so", ".pyd"))]


# Compiling takes minutes, and the tests of both parts follow: more than the suite gives one test.
@pytest.mark.timeout(3600)
@pytest.mark.soak
def test_the_compiled_wheel_passes_the_tests_of_detection_and_points(tmp_path: Path) -> None:
    missing = missing_tools()
    if missing:
        pytest.skip(f"compiling needs {', '.join(missing)}")
    wheel = built(tmp_path / "wheel", "1")
    assert not wheel.name.endswith("-any.whl")
    there = tmp_path / "there"
    zipfile.ZipFile(wheel).extractall(there)
    # Hypothesis minds no slow machine in CI.
    environment = os.environ | {"PYTHONPATH": str(there), "CI": "true"}
    run = [sys.executable, "-c", CHECKED, str(there)]
    assert subprocess.run(run, env=environment, cwd=tmp_path, check=False).returncode == 0
    tests = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--timeout",
        "1200",
        "tests/core/auth",
        "tests/core/points",
    ]
    done = subprocess.run(tests, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
