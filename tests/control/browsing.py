"""A signed-in person in tests: Django's own client with a session, as a member of one client."""

from typing import Any

from django.test import Client

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PASSWORD = "a quiet river bend"


class Person:
    """Opens pages as one user."""

    def __init__(self, client_id: str, role: str, email: str = "", *, owner: bool = False) -> None:
        from gatecrash.control import wall
        from gatecrash.control.accounts import services
        from gatecrash.control.api.roles import Role

        self.client_id, self.role = client_id, role
        self.email = email or f"{role}-{client_id[-6:]}@example.com".lower()
        self.user = services.create_user(self.email, password=PASSWORD, is_owner=owner)
        with wall.client(client_id):
            services.add_member(self.user, Role(role))
        self.http = Client(raise_request_exception=False)
        self.http.force_login(self.user, backend=BACKEND)

    def get(self, path: str, **more: Any) -> Any:
        """The page."""
        return self.http.get(path, **more)

    def post(self, path: str, **fields: Any) -> Any:
        """What a form is answered."""
        return self.http.post(path, fields)

    def text(self, path: str) -> str:
        """A page that must be there, as text."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return str(answer.content.decode())
