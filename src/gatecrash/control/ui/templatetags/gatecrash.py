"""Tags and filters of the templates; loaded everywhere."""

import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from gatecrash.control.ui import assets, icons, words
from gatecrash.core.point import context as point_context
from gatecrash.core.point import key as point_key

register = template.Library()


@register.simple_tag
def asset(name: str) -> str:
    """The address of a script or style."""
    return assets.address(name)


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon, drawn into the page; it says nothing to a screen reader, its words stand beside it."""
    return mark_safe(icons.svg(name))  # noqa: S308 - our own drawings


@register.simple_tag
def term(name: str) -> SafeString:
    """Help beside a term: what the contract means by it."""
    return format_html(
        '<button type="button" class="help" aria-label="{}" data-tip="{}">?</button>',
        words.TERMS[name],
        words.TERMS[name],
    )


@register.simple_tag
def badge(kind: str, value: str | None) -> SafeString:
    """A state as a badge with its tone. kind: `status`, `state`, `baseline`, `triage`, `delivery`, `reading`."""
    tables = {
        "status": words.STATUSES,
        "state": words.STATES,
        "baseline": words.BASELINES,
        "triage": words.TRIAGE,
        "delivery": words.DELIVERIES,
        "reading": words.READINGS,
    }
    text, tone = tables[kind].get(value or "no_traffic", (value or words.NONE, "idle"))
    return format_html('<span class="badge {}">{}</span>', tone, text)


@register.simple_tag
def type_chip(value: str) -> SafeString:
    """An authentication type with its meaning on hover."""
    return format_html(
        '<span class="chip" title="{}">{}</span>', words.TYPE_MEANINGS.get(value, ""), words.TYPES.get(value, value)
    )


@register.simple_tag
def threat(value: int) -> SafeString:
    """A threat level: number, word and tone."""
    text, tone = words.threat(value)
    return format_html('<span class="badge {}" title="Threat level, 1 to 100">{} {}</span>', tone, text, value)


@register.simple_tag
def moment(at: float | None) -> SafeString:
    """A time: relative to read, exact on hover; the page's script keeps it moving."""
    if at is None:
        return format_html('<span class="quiet">{}</span>', "never")
    exact = datetime.fromtimestamp(int(at), UTC)
    return format_html(
        '<time datetime="{}" title="{} UTC">{}</time>',
        exact.strftime("%Y-%m-%dT%H:%M:%SZ"),
        exact.strftime("%Y-%m-%d %H:%M:%S"),
        words.ago(at, time.time()),
    )


@register.filter
def day(at: int) -> str:
    """A day of the calendar, UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%a %d %b %Y")


@register.simple_tag
def breadcrumb(point: Sequence[Any]) -> SafeString:
    """A point as the steps that lead to it."""
    steps = point[0] if point and isinstance(point[0], (list, tuple)) else point
    if not steps:
        return format_html('<span class="quiet">{}</span>', "the request as a whole")
    shown = format_html_join("", "<li>{}</li>", ((step,) for step in steps))
    return format_html('<ol class="crumbs" aria-label="Point {}">{}</ol>', "/".join(steps), shown)


@register.filter
def notation(point: Sequence[Any]) -> str:
    """A point as JSON, as the API takes it."""
    return json.dumps(point)


@register.filter
def percent(value: float | None) -> str:
    """A share of 100."""
    return words.percent(value)


@register.filter
def share(value: float | None) -> str:
    """A share of 1."""
    return words.percent(None if value is None else round(value * 100, 1))


@register.filter
def detail(value: Any) -> str:
    """A value of the audit log: a text as it is, all else as the API's JSON has it; a dash for none."""
    if value is None:
        return words.NONE
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds as people say them."""
    return words.duration(seconds)


@register.filter
def count(value: int | None) -> str:
    """A number with thin spaces between its thousands; a dash for none."""
    return words.count(value)


@register.filter
def speed(value: float | None) -> str:
    """Requests per second."""
    return words.NONE if value is None else f"{value:.1f}".removesuffix(".0") + "/s"


@register.filter
def breakable(path: str) -> SafeString:
    """A path that a narrow column breaks behind its slashes, not within a name; behind the first there is no need."""
    first, rest = (path[:1], path[1:]) if path.startswith("/") else ("", path)
    return format_html(
        "{}{}", first, format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in rest.split("/")))
    )


@register.filter
def key_of(point: Sequence[Any]) -> str:
    """The parameter's name at a point."""
    steps = point[0] if point and isinstance(point[0], (list, tuple)) else point
    return point_key(steps)


@register.filter
def context_of(point: Sequence[Any]) -> str:
    """What kind of place a point is."""
    steps = point[0] if point and isinstance(point[0], (list, tuple)) else point
    return point_context(steps)


@register.filter
def entry(table: dict[str, Any], name: str) -> Any:
    """A value of a table by a name that a template computes."""
    return table.get(name)


@register.filter
def reason_words(baseline: Mapping[str, Any]) -> tuple[str, str] | None:
    """Why a baseline is in error, in short and in a sentence."""
    return words.reason_of(baseline)


@register.filter
def detail_words(baseline: Mapping[str, Any]) -> str:
    """What is told of a baseline's tests."""
    return words.detail_of(baseline)


@register.filter
def bar_words(parts: Sequence[dict[str, Any]]) -> str:
    """What a run's bar shows, for who does not see it; never nothing, for a picture without words is no picture."""
    said = [f"{part['words']} {part['count']}" for part in parts if part["count"]]
    return ", ".join(said) or "No baseline request to test yet"


@register.filter
def action_words(action: str) -> str:
    """A run's action on its button."""
    return words.ACTIONS[action]


@register.filter
def event_words(kind: str) -> str:
    """A kind of news in short."""
    return words.SHORT_EVENTS.get(kind, kind)


@register.filter
def type_words(value: str) -> str:
    """An authentication type's name."""
    return words.TYPES.get(value, value)


@register.simple_tag(takes_context=True)
def with_query(context: dict[str, Any], **changes: object) -> str:
    """The query string of the page with some of its parts changed; None takes a part away. A filter begins at page one."""
    query = context["request"].GET.copy()
    for name, value in {"page": None, **changes}.items():
        if value is None or value == "":
            query.pop(name, None)
        else:
            query[name] = str(value)
    return "?" + query.urlencode()


@register.simple_tag(takes_context=True)
def current(context: dict[str, Any], route: str) -> SafeString:
    """Marks the navigation's entry of this page."""
    path = context["request"].path
    here = reverse(route)
    is_here = path == here if here == "/" else path.startswith(here)
    return mark_safe(' aria-current="page"') if is_here else mark_safe("")


@register.simple_tag(takes_context=True)
def without(context: dict[str, Any], name: str) -> str:
    """The query string of the page without one of its parts."""
    return str(with_query(context, **{name: None}))


@register.simple_tag(takes_context=True)
def sort_head(context: dict[str, Any], words_shown: str, key: str, sort: str | None, kind: str = "") -> SafeString:
    """A column's head that sorts by it; a second click turns the order round. key: with a minus, downwards first."""
    turned = key[1:] if key.startswith("-") else f"-{key}"
    state = {key: key, turned: turned}.get(sort or "")
    sorting = ""
    if state:
        sorting = "descending" if state.startswith("-") else "ascending"
    arrow = {"ascending": " ↑", "descending": " ↓"}.get(sorting, "")
    aria = format_html(' aria-sort="{}"', sorting) if sorting else ""
    link = with_query(context, sort=turned if sort == key else key)
    return format_html('<th class="{}"{}><a href="{}">{}{}</a></th>', kind, aria, link, words_shown, arrow)


@register.filter
def split_words(text: str) -> list[str]:
    """The words of a text, for a template's loop."""
    return text.split()


@register.filter
def plain_words(name: str) -> str:
    """A name of the API as words."""
    return name.replace("_", " ").capitalize()


@register.filter
def share_of(part: int | None, whole: int) -> str:
    """A part of a whole in percent; a dash where the part is not known."""
    return words.percent(None if part is None or not whole else round(100 * part / whole, 1))
