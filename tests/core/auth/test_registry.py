"""The registry, the scheme files and the case files agree, and every case holds."""

import importlib
from pathlib import Path

import pytest
from tests.cases.case import HERE, KINDS, Case, cases_of

import gatecrash.core.auth.schemes as package
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.registry import REGISTRY

CASES = cases_of("auth")
SECTIONS = ("What it finds", "Why it matters", "How it decides", "Known misses", "Standards and references")


def names_in(folder: Path, suffix: str) -> set[str]:
    return {path.stem for path in folder.glob(f"*{suffix}") if path.stem != "__init__"}


def test_every_registered_scheme_has_its_file_and_its_cases_and_no_file_is_unregistered():
    registered = [scheme.type.value for scheme in REGISTRY]
    assert len(registered) == len(set(registered))
    assert names_in(Path(package.__file__).parent, ".py") == set(registered)
    assert names_in(HERE / "auth", ".md") == set(registered)


@pytest.mark.parametrize("scheme", REGISTRY, ids=lambda scheme: scheme.type.value)
def test_a_scheme_is_its_own_manual(scheme):
    module = importlib.import_module(f"gatecrash.core.auth.schemes.{scheme.type.value}")
    assert module.SCHEME is scheme
    positions = [module.__doc__.index(f"\n{section}\n") for section in SECTIONS]
    assert positions == sorted(positions)


@pytest.mark.parametrize("file", sorted(names_in(HERE / "auth", ".md")))
def test_a_case_file_shows_found_not_found_and_known_miss(file):
    assert {case.kind for case in CASES if case.file == file} == set(KINDS)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    found = compile_recogniser().recognise(case.request)
    told = tuple(f"{each.type} {'valid' if each.valid else 'invalid'} {each.point}" for each in found)
    assert case.expected == told
