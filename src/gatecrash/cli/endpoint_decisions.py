"""`gatecrash endpoints …`: what a client decides about its inventory: public marks, OpenAPI documents, pins and splits."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, moment, say, table
from gatecrash.cli.shape import Command

MARKS = "/v1/public_marks"
DOCUMENTS = "/v1/api_documents"
RULES = "/v1/template_rules"


@click.command(
    "mark-public",
    cls=Command,
    epilog='gatecrash endpoints mark-public ep_31d9aa --reason "price list" --owner shop-team',
)
@click.argument("endpoint_id", metavar="ENDPOINT")
@click.option("--reason", required=True, help="Why it is public.")
@click.option("--owner", required=True, help="Who answers for that.")
@click.option("--expires-at", type=click.IntRange(0), metavar="SECONDS", help="UNIX time at which the mark ends.")
@json_option
@with_api
def mark_public(api: Api, as_json: bool, **fields: Any) -> None:
    """Mark an endpoint as public on purpose: it leaves the alarms, not the inventory."""
    body = api.post(MARKS, fields)
    document(body) if as_json else say(f"Marked {body['endpoint_id']} as {body['id']}.")


@click.command("marks", cls=Command, epilog="gatecrash endpoints marks --json")
@json_option
@with_api
def list_marks(api: Api, as_json: bool) -> None:
    """List the endpoints that are public on purpose."""
    body = api.pages(MARKS)
    if as_json:
        document(body)
        return
    rows = (
        (one["id"], one["endpoint_id"], one["owner"], moment(one["expires_at"]), one["reason"])
        for one in body["objects"]
    )
    table(("id", "endpoint", "owner", "expires", "reason"), rows, empty="No endpoint is marked.")


@click.command("unmark", cls=Command, epilog="gatecrash endpoints unmark pub_5d0c7e")
@click.argument("mark_id", metavar="MARK")
@with_api
def unmark(api: Api, mark_id: str) -> None:
    """Take a mark off."""
    api.delete(f"{MARKS}/{segment(mark_id)}")
    say(f"Removed {mark_id}.")


@click.command("upload-document", cls=Command, epilog="gatecrash endpoints upload-document --name shop openapi.yaml")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", help="The document's name, once a client. [default: the file's, without its ending]")
@click.option("--host", help="The host that it is of, where its servers name none or another.")
@json_option
@with_api
def upload_document(api: Api, file: Path, name: str | None, host: str | None, as_json: bool) -> None:
    """Upload an OpenAPI document (3.0, 3.1; JSON or YAML): its templates win, and what is missing from it shows as shadow."""
    query = urlencode({"name": name or file.stem, **({"host": host} if host else {})})
    with file.open("rb") as stream:
        body = api.upload(f"{DOCUMENTS}?{query}", iter(lambda: stream.read(65536), b""))
    document(body) if as_json else say(f"Uploaded {body['id']}: {body['operation_count']} operations.")


@click.command("documents", cls=Command, epilog="gatecrash endpoints documents --json")
@json_option
@with_api
def list_documents(api: Api, as_json: bool) -> None:
    """List the uploaded OpenAPI documents."""
    body = api.pages(DOCUMENTS)
    if as_json:
        document(body)
        return
    rows = (
        (one["id"], one["name"], [server["host"] or "any host" for server in one["servers"]], one["operation_count"])
        for one in body["objects"]
    )
    table(("id", "name", "hosts", "operations"), rows, empty="There are none.")


@click.command("remove-document", cls=Command, epilog="gatecrash endpoints remove-document doc_5d0c7e")
@click.argument("document_id", metavar="DOCUMENT")
@with_api
def remove_document(api: Api, document_id: str) -> None:
    """Delete an uploaded document."""
    api.delete(f"{DOCUMENTS}/{segment(document_id)}")
    say(f"Removed {document_id}.")


@click.command("pin", cls=Command, epilog="gatecrash endpoints pin /shop/{colour} --host shop.example")
@click.argument("template")
@click.option("--host", help="Only on this host.")
@with_api
def pin(api: Api, template: str, host: str | None) -> None:
    """Make all paths that match a template one endpoint."""
    say(f"Pinned as {api.post(RULES, {'kind': 'pin', 'template': template, 'host': host})['id']}.")


@click.command("split", cls=Command, epilog="gatecrash endpoints split /shop/{shop_id}")
@click.argument("template")
@click.option("--host", help="Only on this host.")
@with_api
def split(api: Api, template: str, host: str | None) -> None:
    """Keep apart what was merged into a template."""
    say(f"Split as {api.post(RULES, {'kind': 'split', 'template': template, 'host': host})['id']}.")


@click.command("rules", cls=Command, epilog="gatecrash endpoints rules --json")
@json_option
@with_api
def list_rules(api: Api, as_json: bool) -> None:
    """List pins and splits."""
    body = api.pages(RULES)
    if as_json:
        document(body)
        return
    rows = ((one["id"], one["kind"], one["host"] or "any host", one["template"]) for one in body["objects"])
    table(("id", "kind", "host", "template"), rows, empty="There are none.")


@click.command("remove-rule", cls=Command, epilog="gatecrash endpoints remove-rule tpl_5d0c7e")
@click.argument("rule_id", metavar="RULE")
@with_api
def remove_rule(api: Api, rule_id: str) -> None:
    """Take a pin or a split back."""
    api.delete(f"{RULES}/{segment(rule_id)}")
    say(f"Removed {rule_id}.")


@click.command("settings", cls=Command, epilog="gatecrash endpoints settings --leave-refused-out")
@click.option(
    "--leave-refused-out/--take-refused-in", default=None, help="Answers 401 and 403 in no share, or in every one."
)
@json_option
@with_api
def settings(api: Api, leave_refused_out: bool | None, as_json: bool) -> None:
    """Show or change how the inventory is read."""
    path = f"/v1/clients/{segment(api.client_id)}/apid/config/inventory"
    body = api.get(path) if leave_refused_out is None else api.patch(path, {"leave_refused_out": leave_refused_out})
    if as_json:
        document(body)
    else:
        say("Refused requests are left out of the shares." if body["leave_refused_out"] else "Refused requests count.")


COMMANDS = (
    mark_public,
    list_marks,
    unmark,
    upload_document,
    list_documents,
    remove_document,
    pin,
    split,
    list_rules,
    remove_rule,
    settings,
)
