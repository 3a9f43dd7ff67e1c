"""Every type that can be reported has its words."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gatecrash.core.testing.catalogue import CATALOGUE, entry_for, entry_of
from gatecrash.core.testing.registry import REGISTRY

TYPES = """sqli nosqli ldapi xpathi rce ssti ptrav xxe xss ssrf redir crlf auth idor mass_assignment csrf cors info
deserialization graphql anomaly""".split()  # noqa: SIM905 -- as the service's documents list them


@pytest.mark.parametrize("probe", REGISTRY, ids=lambda probe: probe.entry.title)
def test_an_entry_is_complete(probe):
    entry = probe.entry
    assert entry.type == probe.type
    assert entry.type in TYPES
    assert entry.title
    assert entry.cwe
    assert all(re.fullmatch(r"A\d\d:\d{4}", item) for item in entry.owasp)
    assert all(re.fullmatch(r"API\d+:\d{4}", item) for item in entry.owasp_api)
    assert entry.owasp
    assert entry.owasp_api
    assert entry.why.endswith(".")
    assert entry.remediation.endswith(".")


def test_the_catalogue_holds_the_registered_types_in_order():
    assert list(CATALOGUE) == list(dict.fromkeys(probe.type for probe in REGISTRY))


def test_a_type_names_the_weaknesses_of_all_its_probes():
    for probe in REGISTRY:
        assert set(probe.entry.cwe) <= set(CATALOGUE[probe.type].cwe)


def test_a_finding_of_another_version_is_still_shown():
    assert entry_of("of_another_version").title == "of_another_version"


@pytest.mark.parametrize("probe", REGISTRY, ids=lambda probe: probe.entry.title)
def test_a_finding_is_told_in_the_words_of_its_check(probe):
    assert entry_for(probe.type, probe.entry.title, probe.entry.cwe).title == probe.entry.title


def test_a_finding_with_a_title_of_its_own_is_told_by_its_weakness():
    function = entry_for("auth", "The list of users is open to everybody who is signed in", [285])
    assert (function.owasp_api, function.owasp) == (("API5:2023",), ("A01:2021",))
    assert entry_for("auth", "", [287]) == next(probe.entry for probe in REGISTRY if probe.type == "auth")
    assert entry_for("auth", "", []) == CATALOGUE["auth"]
    assert entry_for("of_another_version", "", [1]).title == "of_another_version"


def test_who_only_may_come_to_need_it_loads_no_probe():
    """A service that starts no run, and shows no finding, does without all of them."""
    code = "import sys, gatecrash.core.testing.catalogue, gatecrash.core.testing.derive\n"
    code += "print([name for name in sys.modules if name.startswith('gatecrash.core.testing.probes.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_sessions_key_that_is_given_away_is_mended_as_sessions_are_and_no_token():
    told = entry_for("auth", "The key that signs sessions is given away", (522, 287))
    assert told.remediation.startswith("Let the framework make sessions")


@pytest.mark.parametrize("probe", REGISTRY, ids=lambda probe: probe.entry.title)
def test_no_other_check_calls_its_findings_so(probe):
    """A finding is told in the words of the check that has its title, so what a check says of its own cannot be another's title."""
    own = probe.applies.__module__
    others = {
        other.applies.__module__
        for other in REGISTRY
        if other.type == probe.type and other.entry.title != probe.entry.title
    }
    for name in others - {own}:
        text = Path(sys.modules[name].__file__).read_text(encoding="utf-8")
        assert f'"{probe.entry.title}"' not in text, name
