"""Points of an extension in both notations: `GET_q_value`, an expression, and `["get", "q"]`, an expression a step."""

import yaml

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.notation import from_underscored
from gatecrash.core.point import InvalidPoint, PointPattern
from gatecrash.core.testing.extensions import nodes
from gatecrash.core.testing.extensions.nodes import Wrong

_LOCATIONS = frozenset({"uri", "action_name", "action_ext", "path", "get", "header", "post"})
# A text without any of these names one point, and must be one that there can be.
_EXPRESSION = frozenset("\\.[]{}()*+?^$|")


def points(node: yaml.Node, field: str) -> tuple[PointPattern, ...]:
    """The point of a node, as a tuple of one. Raises Wrong."""
    return (_point(node, field),)


def point_or_points(node: yaml.Node, field: str) -> tuple[PointPattern, ...]:
    """One point, or a list of them. Raises Wrong."""
    if isinstance(node, yaml.SequenceNode) and not is_steps(node):
        return tuple(_point(each, field) for each in nodes.items(node, field))
    return points(node, field)


def is_steps(node: yaml.Node) -> bool:
    """Whether a list is one point's steps, and not a list of points: it begins with a location in small letters."""
    return (
        isinstance(node, yaml.SequenceNode)
        and bool(node.value)
        and isinstance(node.value[0], yaml.ScalarNode)
        and node.value[0].value in _LOCATIONS
    )


def _point(node: yaml.Node, field: str) -> PointPattern:
    try:
        if isinstance(node, yaml.SequenceNode):
            return PointPattern.parse([nodes.scalar(each, field) for each in nodes.items(node, field)])
        text = nodes.scalar(node, field)
        if "_*" in text:
            raise InvalidPattern("a star repeats what stands before it; write `.*` for anything")  # noqa: TRY301 - told as the others
        if not _EXPRESSION.intersection(text):
            from_underscored(text)
        return PointPattern.from_underscores(text)
    except (InvalidPattern, InvalidPoint) as error:
        raise Wrong(node, field, f"no point: {error}; write GET_q_value, or [get, q]") from error
