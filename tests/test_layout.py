"""The house is as ARCHITECTURE.md draws it: mirrored names, complete registries, small files, honest module names."""

import ast
import gc
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.absent import require

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "gatecrash"
TESTS = ROOT / "tests"
LONGEST = 400

# Modules that no test of the same name mirrors, by path or by file name, and what looks at them instead.
UNMIRRORED: dict[str, str] = {
    "control/accounts/openid.py": "walked from our door and back in control/accounts/test_single_sign_on.py",
    "models.py": "rows without behaviour: the tests of services and queries write and read them on both databases",
    "apps.py": "a name and what is loaded at the start: every test of the control plane stands on it",
    "__main__.py": "hands over to what is tested elsewhere: cli/main.py, demo/target/ in tests/demo/target/test_target.py",
    "control/jobs/management/commands/flush.py": "clears the database between those tests that run threads",
    "control/jobs/management/commands/migrate.py": "starts every service of tests/e2e",
    "control/jobs/management/commands/worker.py": "runs in every service of tests/e2e; what it does is in control/jobs/worker.py",
}

# Folders of data alone, and what looks at all of it.
DATA = {Path("core/words/languages"): "each phrase is read in core/words/test_english.py"}

# Folders of core/testing that ARCHITECTURE.md tells of as a whole.
TOLD_AS_FOLDERS = {"authorization", "dialogues", "extensions", "oracles", "payloads", "probes", "profiles"}

# Tests that mirror no single module.
WIDE = ("e2e", "cases", "range")

VAGUE = {"utils", "util", "helpers", "helper", "common", "base", "misc", "core_utils", "shared", "stuff"}


def modules() -> Iterator[Path]:
    """Every module of ours that holds code, relative to the package; migrations are written by Django."""
    for path in sorted(SOURCE.rglob("*.py")):
        if "migrations" not in path.parts and has_code(path):
            yield path.relative_to(SOURCE)


def tree_of(path: Path) -> ast.Module:
    """The file's syntax. No garbage is collected meanwhile: a finalizer that runs Python code within the parser makes
    CPython 3.11 end with a SystemError about its recursion depth.
    """
    gc.disable()
    try:
        return ast.parse(path.read_text("utf-8"))
    finally:
        gc.enable()


@cache
def has_code(path: Path) -> bool:
    """Whether there is more than a docstring, imports and `__all__`."""
    plain = (ast.Import, ast.ImportFrom, ast.Pass)
    for node in tree_of(path).body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        exports = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in {"__all__", "__version__"}
        if not (docstring or exports or isinstance(node, plain)):
            return True
    return False


@cache
def tracked() -> tuple[Path, ...]:
    """Every file that git tracks."""
    require(shutil.which("git") and (ROOT / ".git").exists(), "git or the repository's history is absent")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file())


def registered(registry: Path, folder: str) -> list[str]:
    """The siblings that a registry imports from a folder, in the order in which it imports them."""
    names: list[str] = []
    for node in ast.walk(tree_of(registry)):
        if isinstance(node, ast.ImportFrom) and node.module:
            package, _, last = node.module.rpartition(".")
            if node.module.endswith(f".{folder}"):
                names += [alias.name for alias in node.names]
            elif package.endswith(f".{folder}"):
                names.append(last)
    return names


def siblings(folder: Path) -> set[str]:
    """The modules in a folder of one file a unit."""
    return {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}


def test_every_module_with_code_has_a_test_of_its_name() -> None:
    lonely = [
        str(module)
        for module in modules()
        if not (TESTS / module.parent / f"test_{module.stem.strip('_')}.py").exists()
        and module.parent not in DATA
        and str(module) not in UNMIRRORED
        and module.name not in UNMIRRORED
    ]
    assert lonely == [], "write the test, or list the module in UNMIRRORED with what looks at it instead"


def test_every_test_mirrors_a_module() -> None:
    astray = [
        str(path.relative_to(ROOT))
        for path in sorted(TESTS.rglob("test_*.py"))
        if path.parent != TESTS
        and path.relative_to(TESTS).parts[0] not in WIDE
        and not (SOURCE / path.relative_to(TESTS).parent / path.name.removeprefix("test_")).exists()
        and not (SOURCE / path.relative_to(TESTS).parent / f"__{path.stem.removeprefix('test_')}__.py").exists()
        and not (SOURCE / path.relative_to(TESTS).parent / path.stem.removeprefix("test_")).is_dir()
        and SOURCE / path.relative_to(TESTS).parent != SOURCE / path.relative_to(TESTS).parent.parent / path.stem[5:]
    ]
    assert astray == [], "a test stands where its module stands, or in e2e/"


def test_no_reason_outlives_its_module() -> None:
    known = {name for module in modules() for name in (str(module), module.name)}
    assert [name for name in UNMIRRORED if name not in known] == []
    assert [folder for folder in DATA if not (SOURCE / folder).is_dir()] == []


@pytest.mark.parametrize(
    ("folder", "registry", "cases"),
    [
        ("core/auth/schemes", "core/auth/registry.py", "auth"),
        ("core/testing/probes", "core/testing/registry.py", "probes"),
        ("core/points/formats", "core/points/registry.py", None),
    ],
)
def test_files_registry_and_cases_agree(folder: str, registry: str, cases: str | None) -> None:
    units = siblings(SOURCE / folder)
    listed = registered(SOURCE / registry, folder.rpartition("/")[2])
    assert units, f"{folder} has a unit at least"
    assert (set(listed), len(listed)) == (units, len(units)), f"each unit once in {registry}"
    if cases is not None:
        assert {path.stem for path in (TESTS / "cases" / cases).glob("*.md")} == units


@pytest.mark.parametrize("probe", registered(SOURCE / "core/testing/registry.py", "probes"))
def test_every_probe_has_one_row_in_the_docs(probe: str) -> None:
    pages = [(ROOT / "docs" / page).read_text("utf-8") for page in ("authorization.md", "injection.md")]
    rows = [line for page in pages for line in page.splitlines() if line.startswith(f"| `{probe}` |")]
    assert len(rows) == 1, f"a row for {probe} in docs/authorization.md or docs/injection.md"


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [str(path) for path in SOURCE.rglob("*") if path.stem in VAGUE] == []


def test_no_source_file_is_long() -> None:
    files = [path for folder in ("src", "tests", "bench") for path in (ROOT / folder).rglob("*.py")]
    files = [path for path in files if "migrations" not in path.parts]  # Django writes those
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in files}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_no_tracked_file_names_a_path_of_one_machine() -> None:
    private = re.compile(rb"(?<![\w.<}])/(?:work|root|Users|home/(?!<)\w+)/\w")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()[:80]!r}"
        for path in tracked()
        for line in path.read_bytes().splitlines()
        if private.search(line)
    ]
    assert found == []


def test_the_locks_hold_hashes_and_no_index() -> None:
    for path in sorted((ROOT / "requirements").glob("*.lock")):
        text = path.read_text("utf-8")
        pins = re.findall(r"^[\w.\-\[\]]+==", text, re.MULTILINE)
        assert pins, path.name
        assert text.count("--hash=sha256:") >= len(pins), path.name
        assert "://" not in text, f"{path.name} ties the installation to one index"


def test_no_list_of_cases_holds_the_time_of_day() -> None:
    """Gzip writes the time into its header: two processes would then know one case by two names."""
    lists = re.compile(r"@pytest\.mark\.parametrize\((?:.|\n)*?\n(?:async )?def ")
    compressing = re.compile(r"gzip\.compress\((?:[^()]|\([^()]*\))*\)")
    astray = [
        str(path.relative_to(ROOT))
        for path in TESTS.rglob("test_*.py")
        for cases in lists.findall(path.read_text("utf-8"))
        if any("mtime=0" not in call for call in compressing.findall(cases))
    ]
    assert astray == []


def test_the_architecture_names_every_file_of_testing() -> None:
    told = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    root = SOURCE / "core/testing"
    within = [each for each in root.iterdir() if each.is_dir() and each.name not in TOLD_AS_FOLDERS]
    names = {path.stem for each in (root, *within) for path in each.glob("*.py")} - {"__init__"}
    assert [name for name in sorted(names) if f"`{name}`" not in told] == []
