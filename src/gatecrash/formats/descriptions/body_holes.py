"""The values of a described body that name things on the target: `user_id`, `product.id`, the first of `tag_ids`, the number of a
`booking` where `/bookings/{id}` is one.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gatecrash.core.point import Point
from gatecrash.core.words.names import plain
from gatecrash.formats.descriptions.document import as_object
from gatecrash.formats.descriptions.sample import Sampler, shown_value
from gatecrash.formats.draft import Hole, names_a_thing

DEEPEST = 6
_NUMBERS = frozenset({"number", "no", "nr", "code", "key", "ref", "reference"})


def holes_in(
    family: str,
    value: Any,
    schema: Any,
    sampler: Sampler,
    *,
    shown: bool,
    names: Collection[str] = (),
    things: Collection[str] = (),
) -> Iterator[Hole]:
    """Those of a JSON body or a form; other families have none.

    family: of its media type. value: what it was written from. shown: the document showed the body, not its schema alone.
    names: others that name a thing here, though they do not look so: paths ask for things by them. things: what paths
    ask for, in the
    singular: a number or a UUID that is called so names one.
    """
    body = _Body(sampler, names, things, shown=shown)
    if family == "json":
        yield from body.within(value, sampler.flat(schema), ("post", "json_doc"))
    elif family == "form" and isinstance(value, dict):
        properties = as_object(sampler.flat(schema).get("properties"))
        for name, one in value.items():
            if _is_plain(one):
                flat = sampler.flat(properties.get(name))
                yield from body.named(name, one, flat, ("post", "form_urlencoded", name))


class _Body:
    """One body, of which the same is known everywhere."""

    def __init__(self, sampler: Sampler, names: Collection[str], things: Collection[str], *, shown: bool) -> None:
        self._sampler = sampler
        self._names = names
        self._things = things
        self._shown = shown

    def within(self, value: Any, schema: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[Hole]:
        """The holes of a value that holds others."""
        if len(at) > 2 * DEEPEST:
            return
        if isinstance(value, list) and value:
            yield from self.within(value[0], self._sampler.flat(schema.get("items")), (*at, "json_array", "0"))
        elif isinstance(value, dict):
            properties = as_object(schema.get("properties"))
            for name, one in value.items():
                yield from self._member(name, one, self._sampler.flat(properties.get(name)), (*at, "json_obj", name))

    def _member(self, name: str, value: Any, schema: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[Hole]:
        if isinstance(value, list) and value and _is_plain(value[0]):
            # `tag_ids` lists what `tag_id` names.
            items = self._sampler.flat(schema.get("items"))
            yield from self.named(name.removesuffix("s"), value[0], items, (*at, "json_array", "0"))
        elif not _is_plain(value):
            yield from self.within(value, schema, at)
        else:
            yield from self.named(name, value, schema, at)

    def named(self, name: str, value: Any, schema: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[Hole]:
        """The hole that a plain value of this name is, where it is one."""
        given = self._shown or bool(shown_value(schema))
        if names_a_thing(name) or name in self._names or self._numbers_a_thing(name):
            yield Hole(name, Point(at), given)
        elif name.lower() in self._things and (isinstance(value, int) or schema.get("format") == "uuid"):
            yield Hole(f"{name}_id", Point(at), given)

    def _numbers_a_thing(self, name: str) -> bool:
        """Whether it is a thing's own word for what names it: `parcel_number`, where `/parcels/{number}` is one."""
        bare = plain(name)
        return any(bare.startswith(each) and bare.removeprefix(each) in _NUMBERS for each in self._things if each)


def _is_plain(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
