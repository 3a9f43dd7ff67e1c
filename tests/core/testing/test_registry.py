"""The registry, the probe files and the case files agree, and each probe is its own manual."""

import importlib
from pathlib import Path

import pytest
from tests.cases.case import HERE, KINDS, cases_of

import gatecrash.core.testing.probes as package
from gatecrash.core.testing.registry import REGISTRY

SECTIONS = ("What it finds", "Why it matters", "How it decides", "Known misses", "Standards and references")


def test_every_registered_probe_has_its_file_and_its_cases_and_no_file_is_unregistered():
    registered = [probe.type for probe in REGISTRY]
    assert len(registered) == len(set(registered))
    assert {path.stem for path in Path(package.__file__).parent.glob("*.py")} - {"__init__"} == set(registered)
    assert {path.stem for path in (HERE / "probes").glob("*.md")} == set(registered)


@pytest.mark.parametrize("probe", REGISTRY, ids=lambda probe: probe.type)
def test_a_probe_is_its_own_manual(probe):
    module = importlib.import_module(f"gatecrash.core.testing.probes.{probe.type}")
    assert module.PROBE is probe
    positions = [module.__doc__.index(f"\n{section}\n") for section in SECTIONS]
    assert positions == sorted(positions)


@pytest.mark.parametrize("probe", REGISTRY, ids=lambda probe: probe.type)
def test_a_case_file_shows_found_not_found_and_known_miss(probe):
    assert {case.kind for case in cases_of("probes") if case.file == probe.type} == set(KINDS)
