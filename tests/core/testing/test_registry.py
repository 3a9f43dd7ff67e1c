"""The registry, the probe files and the case files agree, and each probe is its own manual."""

import importlib
from pathlib import Path

import pytest
from tests.cases.case import HERE, KINDS, cases_of

import gatecrash.core.testing.probes as package
from gatecrash.core.testing.probe import Probe
from gatecrash.core.testing.registry import REGISTRY

SECTIONS = ("What it finds", "Why it matters", "How it decides", "Known misses", "Standards and references")


def files() -> dict[str, Probe]:
    """Every probe by the name of its file: a type may have several."""
    names = sorted(path.stem for path in Path(package.__file__).parent.glob("*.py") if path.stem != "__init__")
    return {name: importlib.import_module(f"gatecrash.core.testing.probes.{name}").PROBE for name in names}


PROBES = files()


def test_every_registered_probe_has_its_file_and_its_cases_and_no_file_is_unregistered():
    assert len(REGISTRY) == len(PROBES)
    assert all(any(probe is each for each in REGISTRY) for probe in PROBES.values())
    assert {path.stem for path in (HERE / "probes").glob("*.md")} == set(PROBES)


@pytest.mark.parametrize("name", PROBES)
def test_a_file_is_named_after_the_type_that_it_reports(name):
    """`auth_jwt` reports `auth`: what stands behind the type tells which part of it."""
    assert name == PROBES[name].type or name.startswith(PROBES[name].type + "_")


@pytest.mark.parametrize("name", PROBES)
def test_a_probe_is_its_own_manual(name):
    manual = importlib.import_module(f"gatecrash.core.testing.probes.{name}").__doc__
    positions = [manual.index(f"\n{section}\n") for section in SECTIONS]
    assert positions == sorted(positions)


@pytest.mark.parametrize("name", PROBES)
def test_a_case_file_shows_found_not_found_and_known_miss(name):
    assert {case.kind for case in cases_of("probes") if case.file == name} == set(KINDS)
