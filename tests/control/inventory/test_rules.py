from gatecrash.control.inventory import rules
from gatecrash.core.auth.registry import REGISTRY


def test_every_scheme_shows_its_words_and_names_in_order() -> None:
    assert [rule["type"] for rule in rules.BUILT_IN] == [scheme.type.value for scheme in REGISTRY]
    for rule, scheme in zip(rules.BUILT_IN, REGISTRY, strict=True):
        assert rule["words"] == list(scheme.words)
        assert [name["point"] for name in rule["names"]] == [one.point.nested() for one in scheme.rules]
