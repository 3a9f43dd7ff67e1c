"""`gatecrash db`: the database of this installation."""

import click

from gatecrash.cli.installation import on_installation, run_management
from gatecrash.cli.options import json_option
from gatecrash.cli.output import document, say, table
from gatecrash.cli.shape import Group
from gatecrash.core.reports.plural import plural


@click.group(
    cls=Group,
    epilog="""
    gatecrash db migrate
    gatecrash db distribute --plan
    """,
)
def command() -> None:
    """Care for the database."""


@command.command("migrate", epilog="gatecrash db migrate --database-url postgresql://gatecrash@db/gatecrash")
@on_installation
def migrate() -> None:
    """Bring the database to this version's shape; harmless where it is already."""
    run_management("migrate", "--verbosity=0")
    say("The database has the shape of this version.")


@command.command(
    "distribute", epilog="gatecrash db distribute --database-url postgresql://gatecrash@coordinator/gatecrash"
)
@click.option("--plan", is_flag=True, help="Only show the tables, and which are distributed already.")
@json_option
@on_installation
def distribute(plan: bool, as_json: bool) -> None:
    """Spread the rows that grow with traffic over the machines of a Citus cluster, each client's together.

    The service must be stopped. Counts, recorded requests, checks and evidence move; everything else stays on the
    coordinator. All of it is done and verified by row counts and checksums, or nothing; tables that are distributed
    already are left alone.
    """
    from gatecrash.control import distributing

    if not plan:
        count = distributing.distribute(lambda name, content: say(f"{name}: {plural(content.rows, 'row')}, verified."))
        say(f"{plural(count, 'table')} distributed by client." if count else "All tables were distributed already.")
    tables = distributing.look() if plan or as_json else []
    if as_json:
        document({"tables": [{"name": one.name, "distributed": one.done} for one in tables]})
    elif plan:
        table(("table", "distributed"), tables, empty="")
