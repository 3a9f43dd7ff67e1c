"""Signing in: a password, then a code where the user has a second factor; or single sign-on.

Failures are counted per address and source; after five the pair is locked for a quarter of an hour (`AXES_…` in the
settings). A wrong address and a wrong password are answered with the same words, after the same work.
"""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth import authenticate, logout
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from gatecrash.control import wall
from gatecrash.control.accounts import actor, audit, openid
from gatecrash.control.accounts.models import Membership, User

log = logging.getLogger(__name__)

WRONG = "This address and password do not belong together, or the account is not active."
SILENT = "The identity provider does not answer. Try again later, or sign in with a password if you have one here."
UNKNOWN = "Your identity provider knows you, but nobody has added your address here yet. Ask an administrator."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page, and what its form sends."""
    if request.user.is_authenticated:
        return HttpResponseRedirect(get_next_redirect_url(request) or reverse("dashboard"))
    error, email = "", ""
    if request.method == "POST":
        email = request.POST.get("login", "").replace("\x00", "").strip()[:254]  # no database takes a zero byte
        password = request.POST.get("password", "")[:1024]
        user = authenticate(request, username=email.lower(), password=password) if email and password else None
        if user is not None:
            login = Login(user=user, redirect_url=get_next_redirect_url(request))
            answer: HttpResponse = perform_password_login(request, {"email": email.lower()}, login)
            return answer
        error = WRONG if email and password else "Give your address and your password."
    return _page(request, error=error, email=email, status=400 if error else 200)


def _page(request: HttpRequest, *, error: str = "", email: str = "", status: int = 200) -> HttpResponse:
    providers = settings.SOCIALACCOUNT_PROVIDERS.get("openid_connect", {}).get("APPS", [])
    context = {
        "error": error,
        "email": email,
        "next": get_next_redirect_url(request) or "",
        "ended": request.GET.get("ended") == "1",
        "providers": providers,
    }
    return render(request, "accounts/sign_in.html", context, status=status)


@never_cache
def single_sign_on(request: HttpRequest, provider_id: str) -> HttpResponse:
    """To the identity provider; where it cannot be asked, back to the login with the reason."""
    try:
        answer = openid.login(request, provider_id)
    except (OSError, KeyError):  # requests' errors are OSErrors; a discovery document may lack an address
        log.warning("the identity provider %s does not answer as one", provider_id, exc_info=True)
        return _page(request, error=SILENT, status=502)
    return answer


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return HttpResponseRedirect(reverse("account_login"))


def locked_out(request: HttpRequest, _response: object = None, _credentials: object = None, *_: Any) -> HttpResponse:
    """What a locked address and source is answered, whatever the password was."""
    minutes = int(settings.AXES_COOLOFF_TIME * 60)
    return render(request, "accounts/locked_out.html", {"minutes": minutes}, status=429)


class AccountAdapter(DefaultAccountAdapter):
    """allauth's hooks: nobody signs up, nothing is mailed, a password is proven in the same way as at sign-in."""

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        """Accounts are made by administrators."""
        return False

    def reauthenticate(self, user: User, password: str) -> bool:
        """Whether this is the user's password; counted for the lockout like any other try."""
        request: Any = self.request
        return authenticate(request, username=user.email, password=password) == user

    def send_notification_mail(self, *_: object, **__: object) -> None:
        """The service sends no mail; the audit log tells."""

    def add_message(self, *_: object, **__: object) -> None:
        """Pages say what happened in their own words."""


class SocialAdapter(DefaultSocialAccountAdapter):
    """Single sign-on finds accounts, it never makes them."""

    def is_open_for_signup(self, _request: HttpRequest, _sociallogin: object) -> bool:
        """Accounts are made by administrators."""
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Turn away whoever has no account, with the reason."""
        if not sociallogin.is_existing:
            raise ImmediateHttpResponse(_page(request, error=UNKNOWN, status=403))


@receiver(user_logged_in, dispatch_uid="gatecrash.sign_in")
def _note_sign_in(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    del sender, request
    _note(user, "user.sign_in")


@receiver(user_logged_out, dispatch_uid="gatecrash.sign_out")
def _note_sign_out(sender: object, request: HttpRequest, user: User | None, **_: object) -> None:
    del sender, request
    if user is not None:
        _note(user, "user.sign_out")


@receiver(user_locked_out, dispatch_uid="gatecrash.locked_out")
def _note_lock(sender: object, request: Any, username: str | None, ip_address: str | None, **_: object) -> None:
    """Once, when the lock falls; of what is tried under it only the service's log tells."""
    del sender
    user = User.objects.filter(email=(username or "").strip().lower()).first()
    if user is not None and request.axes_failures_since_start == settings.AXES_FAILURE_LIMIT:
        _note(user, "user.locked_out", actor.SYSTEM, source=ip_address)


def _note(user: User, action: str, by: str = "", **detail: str | None) -> None:
    """Write the audit log of every client that the user is a member of. by: who did it, where it was not the user."""
    with wall.system("which clients does a user belong to"):
        clients = list(Membership.objects.filter(user_id=user.pk).values_list("client_id", flat=True))
    for client_id in clients:
        with wall.client(client_id), actor.acting(by or user.pk):
            audit.record(action, user.pk, **detail)
