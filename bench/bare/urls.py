"""The one address."""

import hashlib

from django.http import HttpRequest, JsonResponse
from django.urls import path

from bench.bare.models import Token


def read(request: HttpRequest) -> JsonResponse:
    """Whose token it is."""
    given = request.headers.get("X-Service-API-Token", "")
    token = Token.objects.filter(digest=hashlib.sha256(given.encode()).hexdigest()).first()
    if token is None:
        return JsonResponse({"status": 401, "body": {}}, status=401)
    return JsonResponse({"status": 200, "body": {"client": token.client}})


urlpatterns = [path("read", read)]
