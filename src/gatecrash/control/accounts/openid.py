"""The two addresses of single sign-on by OpenID Connect, which are allauth's.

They are loaded when somebody first signs in so: they bring a whole client of HTTP along, which every process of the
service would pay for at its start, and most installations have no single sign-on.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse


def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """To the identity provider."""
    answer: HttpResponse = _views().login(request, provider_id)
    return answer


def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Back from the identity provider."""
    answer: HttpResponse = _views().callback(request, provider_id)
    return answer


def _views() -> Any:
    from allauth.socialaccount.providers import registry
    from allauth.socialaccount.providers.openid_connect import views
    from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider

    registry.register(OpenIDConnectProvider)  # which installing it as an app would do at the start
    return views
