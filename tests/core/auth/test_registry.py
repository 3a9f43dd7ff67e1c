"""The registry, the scheme files and the case files agree; every case holds; no scheme raises, whatever a client sends."""

import ast
import importlib
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cases.case import HERE, KINDS, Case, cases_of

import gatecrash.core.auth.schemes as package
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.registry import REGISTRY
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Place, Scheme

CASES = cases_of("auth")
RECOGNISER = compile_recogniser()
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
    # From the source: a compiled module has no docstring of its own.
    source = Path(package.__path__[0], f"{scheme.type.value}.py").read_text(encoding="utf-8")
    manual = ast.get_docstring(ast.parse(source), clean=False) or ""
    positions = [manual.index(f"\n{section}\n") for section in SECTIONS]
    assert positions == sorted(positions)


@pytest.mark.parametrize("file", sorted(names_in(HERE / "auth", ".md")))
def test_a_case_file_shows_found_not_found_and_known_miss(file):
    assert {case.kind for case in CASES if case.file == file} == set(KINDS)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    found = RECOGNISER.recognise(case.request)
    told = tuple(f"{each.type} {'valid' if each.valid else 'invalid'} {each.point}" for each in found)
    assert case.expected == told


pieces = st.sampled_from(
    [
        *(b'username="a"', b"realm=r", b"nonce=n", b'response="', b"data=", b"sid=1", b"c=biws,r=a,p=", b"n,,n=a,r=b"),
        *(b"Credential=a/20260101/b/c/aws4_request", b"SignedHeaders=host", b"Signature=", b"keyId=k", b"sig1=:", b":"),
        *(
            b"TlRMTVNTUAADAAAA",
            b"YIIJvwYGKwYBBQUC",
            b"oQcwBaADCgEB",
            b", ",
            b";",
            b"=",
            b'"',
            b"\\",
            b"v1,",
            b"t=1",
            b"eyJ",
        ),
    ]
)
values = st.one_of(st.binary(max_size=80), st.lists(st.one_of(pieces, st.binary(max_size=6)), max_size=8).map(b"".join))


@cache  # to make and check dozens of strategies anew takes longer than to draw from them
def candidates(scheme: Scheme):
    words = [b"", *(word.rstrip("*").encode() for word in scheme.words)]
    optional = st.one_of(st.none(), values)
    in_authorization = st.builds(
        lambda word, value: Candidate(Place.HEADER, "AUTHORIZATION", word, value), st.sampled_from(words), values
    )
    by_rule = [
        st.builds(
            lambda value, companions, rule=rule: Candidate(
                Place.QUERY if rule.point[0] == "get" else Place.HEADER, rule.point[-1], b"", value, 8, companions
            ),
            values,
            st.tuples(*(optional for _ in rule.companions)),
        )
        for rule in scheme.rules[:40]
    ]
    return st.one_of(in_authorization, *by_rule)


@pytest.mark.parametrize("scheme", REGISTRY, ids=lambda scheme: scheme.type.value)
@given(data=st.data())
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no failure
def test_a_scheme_never_raises(scheme, data):
    judged = scheme.judge(data.draw(candidates(scheme)))
    if judged is not None:
        assert isinstance(judged, Judgement)
        assert judged.type in AuthType
        assert judged.kind is not Kind.LEG or not judged.valid


@pytest.mark.parametrize("scheme", REGISTRY, ids=lambda scheme: scheme.type.value)
@pytest.mark.parametrize(
    "piece", [b"a", b"a=", b'a="', b",", b";", b":", b"=", b"A1/", b"\\", b"v1,", b" ", b"r=a,", b"c=a,"]
)
def test_a_long_hostile_value_takes_linear_time(scheme, piece):
    start = time.process_time()
    for word in scheme.words or ("",):
        scheme.judge(
            Candidate(Place.HEADER, "AUTHORIZATION", word.rstrip("*").encode(), piece * (16_000 // len(piece)))
        )
    assert time.process_time() - start < 1


def test_every_rule_says_where_it_is_documented():
    assert all(rule.source for scheme in REGISTRY for rule in scheme.rules)


def test_no_two_schemes_claim_a_word_or_a_name():
    words = [word for scheme in REGISTRY for word in scheme.words]
    points = [rule.point for scheme in REGISTRY for rule in scheme.rules]
    assert len(set(words)) == len(words)
    assert len(set(points)) == len(points)
