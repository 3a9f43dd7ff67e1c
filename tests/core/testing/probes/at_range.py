"""Cases at the places of the range, recorded and tested over a real port of this process."""

import importlib
from collections.abc import Iterable
from pathlib import Path

import msgspec
import tests.range
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, runs
from tests.core.testing.probes.told import told
from tests.range.place import respond
from tests.range.serving import Client, addressed, served

from gatecrash.core.message import Request
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Probe

for _path in sorted(Path(next(iter(tests.range.__path__))).glob("*.py")):
    if not _path.stem.startswith(("_", "test_")):
        importlib.import_module(f"tests.range.{_path.stem}")


# A case tells what is found at values; that names are tried as well has a test of its own.
WITHOUT_NAMES = msgspec.structs.replace(
    THOROUGH, locations=tuple(each for each in THOROUGH.locations if each != "name")
)


def run_case(request: Request, probe: Probe, seed: int = 1) -> list[Run]:
    """Every check of one probe at a request, over a real port: what is fetched from must be there."""
    with served(respond) as port:
        client = Client(port)
        try:
            return runs(client, addressed(request, port), (probe,), policy=WITHOUT_NAMES, seed=seed)
        finally:
            client.close()


def told_all(runs_: Iterable[Run]) -> tuple[str, ...]:
    """The verdicts in the words of the case files; of sound points those only where nothing else is told."""
    lines = tuple(told(run).strip() for run in runs_)
    notable = tuple(line for line in lines if not line.startswith("safe"))
    return notable or lines


def cases(type_: str) -> list[Case]:
    """The cases of one probe."""
    return [case for case in cases_of("probes") if case.file == type_]
