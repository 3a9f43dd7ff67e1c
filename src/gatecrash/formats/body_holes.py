"""The values of a described body that name things on the target: `user_id`, `product.id`, the first of `tag_ids`."""

from collections.abc import Iterator, Mapping
from typing import Any

from gatecrash.core.point import Point
from gatecrash.formats.document import as_object
from gatecrash.formats.draft import Hole, names_a_thing
from gatecrash.formats.sample import Sampler, shown_value

DEEPEST = 6


def holes_in(family: str, value: Any, schema: Any, sampler: Sampler, *, shown: bool) -> Iterator[Hole]:
    """Those of a JSON body or a form; other families have none.

    family: of its media type. value: what it was written from. shown: the document showed the body, not its schema alone.
    """
    if family == "json":
        yield from _within(value, sampler.flat(schema), sampler, ("post", "json_doc"), shown=shown)
    elif family == "form" and isinstance(value, dict):
        properties = as_object(sampler.flat(schema).get("properties"))
        for name, one in value.items():
            if names_a_thing(name) and _is_plain(one):
                given = shown or bool(shown_value(sampler.flat(properties.get(name))))
                yield Hole(name, Point(("post", "form_urlencoded", name)), given)


def _within(
    value: Any, schema: Mapping[str, Any], sampler: Sampler, at: tuple[str, ...], *, shown: bool
) -> Iterator[Hole]:
    if len(at) > 2 * DEEPEST:
        return
    if isinstance(value, list) and value:
        yield from _within(value[0], sampler.flat(schema.get("items")), sampler, (*at, "json_array", "0"), shown=shown)
    elif isinstance(value, dict):
        properties = as_object(schema.get("properties"))
        for name, one in value.items():
            part = sampler.flat(properties.get(name))
            yield from _member(name, one, part, sampler, (*at, "json_obj", name), shown=shown)


def _member(
    name: str, value: Any, schema: Mapping[str, Any], sampler: Sampler, at: tuple[str, ...], *, shown: bool
) -> Iterator[Hole]:
    of_list = isinstance(value, list) and bool(value) and _is_plain(value[0])
    if of_list:
        # `tag_ids` lists what `tag_id` names.
        name, value, schema, at = (
            name.removesuffix("s"),
            value[0],
            sampler.flat(schema.get("items")),
            (*at, "json_array", "0"),
        )
    if not _is_plain(value):
        yield from _within(value, schema, sampler, at, shown=shown)
    elif names_a_thing(name):
        yield Hole(name, Point(at), shown or bool(shown_value(schema)))


def _is_plain(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
