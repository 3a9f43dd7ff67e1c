"""Where each caller finds what is his own."""

import pytest

from gatecrash.core.testing.authorization.objects.own_places import stands_below_oneself


@pytest.mark.parametrize(
    ("path", "own"),
    [
        ("/api/me/clips", True),
        ("/my/drafts", True),
        ("/me", False),
        ("/clips", False),
        ("/me/teams", False),
        ("/me/clips/shared", False),
        ("/memories/clips", False),
    ],
)
def test_what_stands_below_the_callers_address_is_his_unless_several_have_it(path: str, own: bool) -> None:
    assert stands_below_oneself(path) is own
