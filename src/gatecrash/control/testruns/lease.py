"""Who holds a run: one start of its node, under a generation that rises with every takeover."""

from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns.book import Book
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.testing.run_events import Takeover


def holds(node: Node, row: TestRun, session: str, generation: int) -> bool:
    """Whether a message of this session and generation speaks for the run."""
    return session == node.session == row.session and generation == row.generation


def take(book: Book, node: Node) -> None:
    """Give the run to the node's present start. The first start takes the lease as it is; a later one takes it over."""
    if book.row.session == node.session:
        return
    if book.row.session:
        book.apply(Takeover())
    book.note(session=node.session, confirmed=False)
