"""What every test may ask for: a database of the chosen kind, scratch folders, and a clear word where a part is absent."""

import atexit
import gc
import logging
import os
import signal
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.absent import absent, nothing_may_skip
from tests.arranging import arranged, without_django
from tests.migrated import POSTGRES, SCRATCH, migrated_database, migrated_file
from tests.postgres import Cluster, binaries
from tests.turns import Turns

# A browser beside each walk is for those tests that ask for one.
os.environ["GATECRASH_BROWSER"] = "off"

# Else each of the hundreds of processes that tests start would compile the same source again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would all that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A process of tests ends with a heap full of them, in which its interpreter would look for garbage once more.
atexit.register(gc.freeze)

# A line for each request would bury the words of a failure.
logging.getLogger("httpx").setLevel(logging.WARNING)

# So many of the last lines of what a failing test printed or logged; hundreds would bury the assertion.
LAST_LINES = 60

# The same examples here as in CI, and no deadline that a busy machine would miss. `make soak` draws new ones, and many.
settings.register_profile("many", settings.get_profile("ci"), max_examples=1000, derandomize=False)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the suite run once on each database, and keep pictures of the pages."""
    parser.addoption("--database", choices=("sqlite", "postgresql"), default="sqlite", help="the database under test")
    parser.addoption("--pictures", action="store_true", help="keep a picture of every page in build/screenshots")


def pytest_configure(config: pytest.Config) -> None:
    """Choose scratch folder, keys and database before Django's settings are read."""
    if not hasattr(config, "workerinput"):
        scratch = tempfile.TemporaryDirectory(prefix="gatecrash-tests-", ignore_cleanup_errors=True)
        config.add_cleanup(scratch.cleanup)
        os.environ[SCRATCH] = scratch.name
        if config.getoption("--database") == "postgresql" and binaries() is not None:
            cluster = Cluster(Path(scratch.name) / "postgres")
            config.add_cleanup(cluster.stop)
            os.environ[POSTGRES] = cluster.url
    else:
        number = int(config.workerinput["workerid"].removeprefix("gw"))
        config.pluginmanager.register(Turns(number, config.workerinput["workercount"]))
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    home = Path(os.environ[SCRATCH]) / worker
    home.mkdir(exist_ok=True)
    os.environ["GATECRASH_DATA_DIR"] = str(home / "data")
    os.environ["GATECRASH_KEY_DIR"] = str(home / "keys")
    os.environ["XDG_CONFIG_HOME"] = str(home / "config")
    os.environ["GATECRASH_SECRET_KEY"] = "only-for-tests-" + "x" * 40
    for name in ("GATECRASH_API", "GATECRASH_TOKEN", "GATECRASH_CLIENT"):
        os.environ.pop(name, None)
    if POSTGRES in os.environ:
        os.environ["GATECRASH_DATABASE_URL"] = os.environ[POSTGRES] + "/gatecrash"
    else:
        os.environ["GATECRASH_DATABASE_URL"] = f"sqlite:///{home}/gatecrash.sqlite3"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while only what stays is made, nor ever again among it: a quarter of what collecting costs."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests to `make soak`, say why where PostgreSQL is absent, and begin with what takes long."""
    if "soak" not in (config.getoption("-m") or ""):
        soaking = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=soaking)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
    if config.getoption("--database") == "postgresql" and binaries() is None:
        for item in items:
            item.add_marker(absent("PostgreSQL's initdb and postgres were not found"))
    without_django(items)
    if hasattr(config, "workerinput"):
        items[:] = arranged(items, config.workerinput["workercount"])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell of a failing test what was said last, so that its assertion is what is read. Where nothing may skip, a skip fails."""
    report = yield
    if report.skipped and nothing_may_skip() and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"nothing may be skipped here, but {report.longrepr[-1]}"
    if report.failed:
        report.sections = [(name, last_lines(text)) for name, text in report.sections]
    return report


def last_lines(text: str) -> str:
    """The end of what was captured, and how much is left out."""
    lines = text.splitlines()
    if len(lines) <= LAST_LINES:
        return text
    return "\n".join([f"({len(lines) - LAST_LINES} lines before)", *lines[-LAST_LINES:]])


@pytest.fixture
def nothing_may_be_absent() -> None:
    """Fail a test whose part is absent in CI."""
    pytest.fail("nothing may be skipped here, but a part that this test needs is absent")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Use a file, not memory, on SQLite: threads and WAL must be the real ones."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        file = Path(os.environ["GATECRASH_DATA_DIR"]).parent / "test.sqlite3"
        database["TEST"]["NAME"] = str(file)
        if _is_one_of_several():
            migrated_file(file)


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """Whether the database under test is there already: one of several processes copies what all of them share."""
    return request.config.getoption("--database") == "sqlite" and _is_one_of_several()


def _is_one_of_several() -> bool:
    return "PYTEST_XDIST_WORKER" in os.environ


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a migrated database of the chosen kind without a row, for a service in a process of its own."""
    with migrated_database(tmp_path, request.config.getoption("--database")) as url:
        yield url


@pytest.fixture
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database of the chosen kind in which there is nothing at all."""
    if request.config.getoption("--database") == "sqlite":
        yield f"sqlite:///{tmp_path}/service.sqlite3"
        return
    with Cluster.database(os.environ[POSTGRES]) as url:
        yield url
