"""Icons are drawn into the page, say nothing to a screen reader, and load nothing."""

from xml.etree import ElementTree as ET

import pytest

from gatecrash.control.ui import icons
from gatecrash.control.ui.frame import NAVIGATION


@pytest.mark.parametrize("name", icons._PATHS)
def test_an_icon_is_well_formed_and_hidden_from_screen_readers(name: str) -> None:
    drawn = ET.fromstring(icons.svg(name))
    assert (drawn.get("aria-hidden"), drawn.get("focusable")) == ("true", "false")
    assert [child.tag for child in drawn] == ["path"]
    assert not {"href", "style", "onload"} & set(drawn.attrib)


def test_the_navigation_has_its_icons() -> None:
    for _, places in NAVIGATION:
        for place in places:
            assert icons.svg(place.icon)
