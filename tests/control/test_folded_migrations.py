"""Each model is made once, as it is in the end; that the database is the same is told by tests/e2e/test_upgrade.py."""

import pytest
from django.db.migrations.operations import CreateModel

from gatecrash.control.folded_migrations import folded


@pytest.mark.parametrize(
    ("app", "names", "field"),
    [
        ("nodes", ("0001_initial", "0002_per_host_limit"), ("node", "processes")),
        ("testruns", ("0001_initial", "0003_testrun_policy", "0004_listening"), ("testrun", "listening_until")),
    ],
)
def test_each_model_is_made_once_as_it_is_in_the_end(app: str, names: tuple[str, ...], field: tuple[str, str]) -> None:
    made = folded(app, names)
    assert all(isinstance(one, CreateModel) for one in made), made
    assert field in [(one.name.lower(), name) for one in made for name, _ in one.fields]
