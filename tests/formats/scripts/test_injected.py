"""What a class asks of the things that its framework hands it."""

import time

import pytest

from gatecrash.formats.scripts.injected import held_in
from gatecrash.formats.scripts.literals import Script


def told(code: str) -> dict[str, dict[str, list[str]]]:
    return {
        held.name: {name: [code[slice(*each)] for each in given] for name, given in held.calls.items()}
        for held in held_in(Script(code))
    }


@pytest.mark.parametrize(
    "code",
    [
        "class P{notes=inject(N);save(){this.notes.save({q:this.q},'x')}}",
        "class P{a=1;notes=i.p(N);save(){this.notes.save({q:this.q},'x')}}",
        "class P{constructor(){this.a=1}notes=p(N);save(){this.notes.save({q:this.q},'x');this.notes.save('y')}}",
        (
            "var V=(()=>{class P{constructor(t,r){this.r=r,this.notes=t}save(){this.notes.save({q:this.q},'x')}"
            "static{this.f=function(o){return new(o||P)(D(N),D(R))}}}return P})()"
        ),
        (
            "class P{constructor(t){this.notes=t}save(){this.notes.save({q:this.q},'x')}}"
            "P.f=function(o){return new (o||P)(i.D(N))}"
        ),
    ],
)
def test_what_is_held_is_asked_as_the_first_call_of_each_method_has_it(code: str) -> None:
    assert told(code) == {"N": {"save": ["{q:this.q}", "'x'"]}}


def test_what_means_something_else_elsewhere_is_left_out() -> None:
    assert told("class P{notes=p(N);one(){this.notes.one(this.id,'x')}}") == {"N": {"one": ["", "'x'"]}}


@pytest.mark.parametrize(
    "code",
    [
        "class P{notes=p(N);one(){this.other.one('x')}}",  # another thing
        "class P{notes=p(N);one(){this.notes.one(this.id)}}",  # nothing written out
        "class P{notes=p(N)}class Q{one(){this.notes.one('x')}}",  # another class
        "class P{constructor(t){this.notes=t}one(){this.notes.one('x')}}",  # made by nobody
        "class P{constructor(t){this.notes=t}one(){this.notes.one('x')}static f(o){return new(o||Q)(D(N))}}",
        "class P{constructor(t,r){this.notes=r}one(){this.notes.one('x')}static f(o){return new(o||P)(D(N))}}",
        "class P{notes=p(N);one(",
    ],
)
def test_what_is_not_held_or_not_asked_is_left(code: str) -> None:
    assert told(code) == {}


def test_classes_within_classes_without_end_are_read_no_longer_than_others() -> None:
    begun = time.perf_counter()
    assert told("class P{" * 20_000 + "this.notes.save('x')") == {}
    assert time.perf_counter() - begun < 5
