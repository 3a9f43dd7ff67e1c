"""What one script hands to the method of another is read in its place."""

import pytest

from gatecrash.formats.scripts.calls import called_in
from gatecrash.formats.scripts.handed import handed

SERVICES = (
    "class L{constructor(i){this.http=i,this.host='/rest'}"
    'text(i){return this.http.get(this.host+"/texts?file="+i+".json")}'
    "version(){return this.http.get('/rest/version')}}"
)


def asked(*codes: str) -> list[str]:
    return [each.address for code in handed(codes) for each in called_in(code)]


@pytest.mark.parametrize("given", ['l.text("en")', "l.text('en', 5)", "new L(h).text(`en`).then(show)"])
def test_a_text_is_written_in_where_the_method_has_it(given: str) -> None:
    assert asked(SERVICES, given) == ["/rest/texts?file=en.json", "/rest/version"]


def test_one_script_may_have_both() -> None:
    assert asked(SERVICES + ";l.text('en')")[0] == "/rest/texts?file=en.json"


def test_a_template_has_it_in_its_hole_and_texts_keep_their_words() -> None:
    services = "class L{read(file){return fetch(`/rest/${file}/x?file=${file}`)}}"
    assert asked(services, "l.read('en')") == ["/rest/en/x?file=en"]


def test_the_first_of_several_is_enough() -> None:
    assert asked(SERVICES, "l.text('en');l.text('de')")[0] == "/rest/texts?file=en.json"


@pytest.mark.parametrize(
    "codes",
    [
        (SERVICES, "l.text(lang)"),  # not written out
        (SERVICES, "l.version('en')"),  # takes nothing
        (SERVICES, "class M{text(i){this.shown=i}}", "l.text('en')"),  # who is meant is not known
        ("class L{show(i){this.shown=i}}", "l.show('en')"),  # asks nobody
        ("class L{get(i){return this.http.get('/a/'+i)}}", "map.get('en')"),  # a word of everybody's
        ("class L{text({i}){return fetch('/a/'+i)}}", "l.text('en')"),  # takes it apart
        ("const s='{text(i){fetch(1)}'", "l.text('en')"),  # within a text
        (SERVICES,),
        (),
    ],
)
def test_nothing_is_read_where_nothing_is_handed_on(codes: tuple[str, ...]) -> None:
    assert list(handed(codes)) == []


def test_their_number_is_bounded() -> None:
    services = "".join(f"m{each}(i){{return fetch('/a/{each}/'+i)}};" for each in range(300))
    calls = "".join(f"l.m{each}('en');" for each in range(300))
    assert sum(address.endswith("/en") for address in asked(services, calls)) == 100
