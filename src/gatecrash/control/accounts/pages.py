"""Pages of the own account, of tokens, users, the audit log and the client's settings."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from gatecrash.control import wall
from gatecrash.control.accounts import audit, queries, schemas, services, two_factor, views
from gatecrash.control.accounts.models import Membership, User
from gatecrash.control.accounts.reading_names import actors_named, named
from gatecrash.control.api import fields
from gatecrash.control.api.errors import ApiError, FieldErrors, problem
from gatecrash.control.api.roles import ADMIN, READ, Role
from gatecrash.control.clock import now
from gatecrash.control.nodes.queries import there
from gatecrash.control.ui import words
from gatecrash.control.ui.forms import Field, Form, sent
from gatecrash.control.ui.listing import listing
from gatecrash.control.ui.page import page
from gatecrash.control.ui.visitor import CHOSEN, Visitor, visitor

DAY = 24 * 3600
LIFETIMES = (("", "never"), ("30", "in 30 days"), ("90", "in 90 days"), ("365", "in a year"))
PASSWORD = (
    Field("old", "Present password", "password", required=True, autocomplete="current-password"),
    Field(
        "password",
        "New password",
        "password",
        required=True,
        autocomplete="new-password",
        hint="At least 10 characters, not a common one, and not like your address.",
    ),
)
USER = (
    Field("email", "E-mail address", required=True),
    Field("name", "Name"),
    Field("role", "Role", "choice", choices=[(role, role) for role in ("viewer", "analyst", "admin")], required=True),
    Field(
        "password",
        "Password",
        "password",
        autocomplete="new-password",
        hint="At least 10 characters. Without one the user signs in by single sign-on only.",
    ),
)


@page(READ)
def account(request: HttpRequest) -> HttpResponse:
    """The own account: password, second factor, colours, client."""
    context = {
        "form": Form(PASSWORD),
        "second_factor": two_factor.is_on(visitor(request).user.pk),
        "roles": words.ROLES,
    }
    return render(request, "accounts/account.html", context)


@sensitive_post_parameters()
@page(READ, "POST")
def change_password(request: HttpRequest) -> HttpResponse:
    """Set a new password, where the present one is right. Other sessions end."""
    user = visitor(request).user
    form = Form(PASSWORD, request.POST)
    change: schemas.MemberChange | None = None
    try:
        given = {"password": request.POST.get("password") or None}
        change = fields.validate(schemas.MemberChange, given)
    except FieldErrors as error:
        form.refuse(error)
    if not user.check_password(request.POST.get("old", "")[:1024]):
        form.problems["old"] = "This is not your present password."
    if not request.POST.get("password"):
        form.problems |= {"password": "Fill this in."}
    if form.problems or change is None:
        context = {"form": form, "second_factor": two_factor.is_on(user.pk), "roles": words.ROLES}
        return render(request, "accounts/account.html", context, status=400)
    services.set_password(user, str(change.password))
    update_session_auth_hash(request, user)
    messages.success(request, "Your password is changed. Your other sessions are over.")
    return redirect("account")


@page(READ, "POST")
def choose_client(request: HttpRequest) -> HttpResponse:
    """Look at another client of which the visitor is a member."""
    wanted = request.POST.get("client", "")
    if wanted not in {client.id for client in visitor(request).clients}:
        raise Http404
    request.session[CHOSEN] = wanted
    return redirect("dashboard")


@page(ADMIN, "GET", "POST")
def tokens(request: HttpRequest) -> HttpResponse:
    """The client's API tokens; a new one's text is shown once."""
    issued, form = None, Form(_token_fields(), sent(request))
    if request.method == "POST":
        issued = _issue(form)
        if issued is not None:
            form = Form(_token_fields())
    context = {"list": listing(request, queries.tokens()), "form": form, "issued": issued, "roles": words.ROLES}
    return render(request, "accounts/tokens.html", context, status=400 if form.problems else 200)


def _token_fields() -> tuple[Field, ...]:
    nodes = [("", "any"), *there().order_by("name").values_list("id", "name")]
    return (
        Field("name", "Name", required=True, hint="What it is for, so that it can be told apart later."),
        Field("role", "Role", "choice", choices=[(role, role) for role in words.ROLES], initial="ci", required=True),
        Field("lifetime", "Ends", "choice", choices=LIFETIMES),
        Field("node_id", "Tied to the test node", "choice", choices=nodes),
    )


def _issue(form: Form) -> str | None:
    """The new token's text; None where the form is refused."""
    document = form.document()
    days = document.pop("lifetime", None)
    if days is not None and days not in dict(LIFETIMES):
        form.problems["lifetime"] = "Choose one of the list."
        return None
    document["expires_at"] = None if days is None else now() + int(days) * DAY
    try:
        order = fields.validate(schemas.NewToken, document)
    except FieldErrors as error:
        form.refuse(error)
        return None
    _, text = services.create_token(order.name, Role(order.role), node_id=order.node_id, expires_at=order.expires_at)
    return text


@page(ADMIN, "POST")
def revoke_token(request: HttpRequest, token_id: str) -> HttpResponse:
    """End a token."""
    row = queries.find_token(token_id)
    if row is None:
        raise Http404
    services.revoke_token(row)
    messages.success(request, f"The token “{row.name}” is revoked.")
    return redirect("tokens")


@sensitive_post_parameters()
@page(ADMIN, "GET", "POST")
def users(request: HttpRequest) -> HttpResponse:
    """The client's members, and a form to add one."""
    form = Form(USER, sent(request), {"role": "analyst"})
    if request.method == "POST" and _add(form, visitor(request)):
        messages.success(request, f"{request.POST.get('email')} is added.")
        return redirect("users")
    found = listing(request, queries.members())
    context = {"list": found, "form": form, "roles": words.ROLES, "with_code": _with_code(found.rows)}
    return render(request, "accounts/users.html", context, status=400 if form.problems else 200)


def _with_code(members: list[Membership]) -> set[str]:
    return two_factor.users_with([member.user_id for member in members])


def _add(form: Form, who: Visitor) -> bool:
    """Add a member by the rules of the API."""
    order = form.checked(schemas.NewMember)
    if order is None:
        return False
    taken = FieldErrors({"email": problem("already_exists", order.email)})
    try:
        with transaction.atomic():
            user = queries.find_user_by_email(order.email)
            if user is not None and not who.user.is_owner:
                raise taken
            user = user or services.create_user(order.email, name=order.name, password=order.password)
            services.add_member(user, Role(order.role))
    except (IntegrityError, FieldErrors):
        form.refuse(taken)
        return False
    return True


@sensitive_post_parameters()
@page(ADMIN, "GET", "POST")
def user(request: HttpRequest, user_id: str) -> HttpResponse:
    """One member: role, name, and a new password for who forgot it."""
    member, who = _member(user_id), visitor(request)
    alone = _is_ours_alone(member.user, who)
    shown = tuple(field for field in USER[1:] if alone or field.name == "role")
    initial = {"name": member.user.name, "role": member.role}
    form = Form(shown, sent(request), initial)
    if request.method == "POST":
        change = form.checked(schemas.MemberChange)
        if change is not None:
            with transaction.atomic():
                services.change_member(member, role=Role(change.role) if change.role else None, name=change.name)
                if change.password is not None:
                    services.set_password(member.user, change.password)
            messages.success(request, f"{member.user.email} is changed.")
            return redirect("users")
    context = {"member": member, "form": form, "alone": alone, "has_code": two_factor.is_on(member.user_id)}
    return render(request, "accounts/user.html", context, status=400 if form.problems else 200)


@page(ADMIN, "POST")
def remove_user(request: HttpRequest, user_id: str) -> HttpResponse:
    """Take a user out of the client."""
    member = _member(user_id)
    services.remove_member(member)
    messages.success(request, f"{member.user.email} is removed from this client.")
    return redirect("users")


@page(ADMIN, "POST")
def take_second_factor(request: HttpRequest, user_id: str) -> HttpResponse:
    """Remove a lost second factor."""
    member = _member(user_id)
    if not _is_ours_alone(member.user, visitor(request)):
        raise ApiError("forbidden", "This user belongs to other clients too, or owns the deployment.")
    with transaction.atomic():
        two_factor.take_away(member.user_id)
        audit.record("user.second_factor", member.user_id)
    messages.success(
        request, f"{member.user.email} signs in with the password alone until a new second factor is set up."
    )
    return redirect("user", user_id=user_id)


def _member(user_id: str) -> Membership:
    member = queries.find_member(user_id)
    if member is None:
        raise Http404
    return member


def _is_ours_alone(user: User, who: Visitor) -> bool:
    """Whether name and password may be changed here: nobody else holds the account (as in the API)."""
    if who.user.is_owner:
        return True
    with wall.system("is the user a member of any other client"):
        return not user.is_owner and queries.clients_of(user.pk) == 1


@page(ADMIN)
def audit_log(request: HttpRequest) -> HttpResponse:
    """Who changed what, the newest first."""
    rows = queries.audit_entries()
    wanted = {name: request.GET.get(name, "").strip()[:255] for name in ("actor", "action", "target")}
    asked = {name: value for name, value in wanted.items() if value and "\x00" not in value}
    if actor := asked.pop("actor", ""):
        rows = rows.filter(actor__in=actors_named(actor))
    rows = rows.filter(**asked)
    found = listing(request, rows)
    entries = named([views.audit_entry(row) for row in found.rows])
    context = {
        "list": found,
        "entries": entries,
        "wanted": wanted,
    }
    return render(request, "accounts/audit.html", context)


@page(ADMIN, "GET", "POST")
def settings_page(request: HttpRequest) -> HttpResponse:
    """The client's name, its limit for every host, and the one switch that stops all its tests."""
    client = visitor(request).client
    form = Form(
        (
            Field("name", "Name of this client", required=True),
            Field(
                "rps_per_host",
                "Test requests a second to any one host",
                "number",
                low=1,
                high=1000,
                hint="Over all runs and nodes of this client. Empty: no limit.",
            ),
        ),
        sent(request),
        {"name": client.name, "rps_per_host": "" if client.rps_per_host is None else client.rps_per_host},
    )
    if request.method == "POST":
        change = form.checked(schemas.ClientChange)
        if change is not None:
            services.change_client(client, name=change.name, rps_per_host=change.rps_per_host)
            messages.success(request, "The settings are changed.")
            return redirect("settings")
    return render(
        request, "accounts/settings.html", {"form": form, "client": client}, status=400 if form.problems else 200
    )


@page(ADMIN, "POST")
def switch_tests(request: HttpRequest) -> HttpResponse:
    """Stop all tests of the client, or allow them again."""
    stopped = request.POST.get("stopped") == "1"
    services.change_client(visitor(request).client, tests_stopped=stopped)
    messages.success(request, "All tests are stopped." if stopped else "Tests are allowed again.")
    return redirect("settings")
