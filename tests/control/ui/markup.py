"""What is wrong with a page's markup whatever the moment it is looked at: names that are empty, references to nothing.

axe-core says the same and more, in a browser and for the pages that a walk meets; this looks at every page in every state
that a test can make, in milliseconds.
"""

from itertools import pairwise

from lxml import html

NAMED = (
    "//a|//button|//h1|//h2|//h3|//th|//summary|//label|//legend|//option|//dt|//dd|//caption|//title|//*[@role='img']"
)
FIELDS = "//input[not(@type='hidden')]|//select|//textarea"
REFERENCES = ("aria-describedby", "aria-labelledby", "aria-controls", "for", "form", "data-copy", "data-dialog")
LEAKS = ("None", "nan", "inf", "undefined", "{{", "{%")


def faults(text: str) -> list[str]:
    """Each fault with the element that has it; none for a page that may be shown."""
    page = html.document_fromstring(text) if "<html" in text else html.fragment_fromstring(text, create_parent=True)
    for hidden in page.xpath("//template|//script|//style"):  # what a script makes of it, a walk looks at
        hidden.drop_tree()
    found = [f"{_shown(one)} has no name" for one in page.xpath(NAMED) if not _name(one)]
    found += [f"{_shown(one)} has no label" for one in page.xpath(FIELDS) if not (_label(page, one) or _own(one))]
    found += [f"{_shown(one)}: {name} is empty" for one in page.iter() for name in _empty(one)]
    found += _references(page)
    found += [f"{text!r} is shown" for text in page.xpath("//text()[not(ancestor::button)]") if text.strip() in LEAKS]
    found += [
        f"{_shown(one)} has no rows" for one in page.xpath("//tbody[not(tr)]|//ul[not(li)]|//select[not(option)]")
    ]
    return [*found, *_headings(page)]


def _name(one: html.HtmlElement) -> str:
    """What a screen reader says for it."""
    if one.get("role") == "img":
        return _own(one)
    inside = [name for part in one.xpath(".//*[@aria-label]|.//img[@alt]") if (name := _own(part) or part.get("alt"))]
    return _own(one) or one.text_content().strip() or " ".join(inside)


def _own(one: html.HtmlElement) -> str:
    return (one.get("aria-label") or one.get("aria-labelledby") or "").strip()


def _label(page: html.HtmlElement, field: html.HtmlElement) -> bool:
    return bool(field.xpath("ancestor::label")) or any(
        one.get("for") == field.get("id") for one in page.xpath("//label")
    )


def _empty(one: html.HtmlElement) -> list[str]:
    """Attributes that say nothing where they must say something."""
    if not isinstance(one.tag, str):
        return []
    given = {name: value for name, value in one.attrib.items() if not (value or "").strip()}
    return [
        name
        for name in given
        if name.startswith("aria-")
        or name in ("href", "id", "for", "name", "datetime", "data-tip", "data-name", "action")
    ]


def _references(page: html.HtmlElement) -> list[str]:
    ids = [one.get("id") for one in page.xpath("//*[@id]")]
    twice = sorted({f"the id {name} is there twice" for name in ids if ids.count(name) > 1})
    astray = [
        f"{_shown(one)}: {name} names {wanted}, which is not there"
        for one in page.xpath("//*")
        for name in REFERENCES
        for wanted in (one.get(name) or "").split()
        if wanted not in ids
    ]
    return [*twice, *astray]


def _headings(page: html.HtmlElement) -> list[str]:
    """A page has one first heading, and no level is jumped over on the way down; a dialog begins anew."""
    if page.tag != "html":
        return []
    levels = [
        int(one.tag[1]) for one in page.xpath("//h1|//h2|//h3|//h4") if not one.xpath("ancestor::dialog|ancestor::nav")
    ]
    jumps = [f"h{high} follows h{low}" for low, high in pairwise(levels) if high > low + 1]
    return jumps if levels.count(1) == 1 else [*jumps, f"{levels.count(1)} first headings"]


def _shown(one: html.HtmlElement) -> str:
    return html.tostring(one, encoding="unicode", with_tail=False)[:120]
