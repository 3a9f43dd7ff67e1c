"""Cookies in which frameworks, identity proxies and applications keep a session: their names, and where they come from.

Names are compared as written; `__Host-` and `__Secure-` in front are a browser's promise, not part of the name
(RFC 6265bis section 4.1.3). A name with `<…>` in it stands for all that its pattern matches, as one parameter, so that
nobody can name parameters without end.
"""

import re
from functools import lru_cache
from typing import NamedTuple


class SessionCookie(NamedTuple):
    """One name. pattern: a regular expression where the name stands for many."""

    name: str
    source: str
    pattern: str = ""


# What stands before `_session` where a visit is meant and no user: analytics, tests of variants, baskets, chats; and the
# cookies of Application Insights and of Barracuda's balancer.
_NO_APPLICATION = (
    r"(?:[a-z0-9_]*_)?(?:ab|ai|analytics|anon|anonymous|basket|browser|cart|chat|client|device|drift|guest|hs|intercom|parsely"
    r"|px|snowplow|tracking|visit|visitor|wishlist|woocommerce|zendesk_shared)_session$|barra_"
)

COOKIES: tuple[SessionCookie, ...] = (
    # Languages and their web frameworks.
    SessionCookie("PHPSESSID", "PHP manual, session.name"),
    SessionCookie("JSESSIONID", "Jakarta Servlet specification, section 7.1.1"),
    SessionCookie("JSESSIONIDSSO", "Apache Tomcat, single sign-on valve"),
    SessionCookie("SESSION", "Spring Session, the default cookie serializer"),
    SessionCookie("remember-me", "Spring Security, remember-me"),
    SessionCookie("rememberMe", "Apache Shiro, remember me"),
    SessionCookie("PLAY_SESSION", "Play Framework, session"),
    SessionCookie("grails_remember_me", "Grails Spring Security, remember-me"),
    SessionCookie("mojolicious", "Mojolicious, sessions"),
    SessionCookie("dancer.session", "Dancer2, sessions"),
    SessionCookie("ring-session", "Ring for Clojure, sessions"),
    SessionCookie("connect.sid", "express-session, name"),
    SessionCookie("express.sid", "express-session, a name in wide use"),
    SessionCookie("koa.sess", "koa-session, key"),
    SessionCookie("koa:sess", "koa-session, key of before 6.0"),
    SessionCookie("express:sess", "cookie-session for Express, name of before 2.0"),
    SessionCookie("sails.sid", "Sails, session"),
    SessionCookie("sessionId", "@fastify/session, cookieName"),
    SessionCookie("__session", "Remix and React Router, sessions; Clerk; Firebase Hosting"),
    SessionCookie("adonis-session", "AdonisJS, session"),
    SessionCookie("nuxt-session", "nuxt-auth-utils, session"),
    SessionCookie("sessionid", "Django, SESSION_COOKIE_NAME"),
    SessionCookie("session", "Flask, SESSION_COOKIE_NAME; Starlette SessionMiddleware"),
    SessionCookie("remember_token", "Flask-Login, REMEMBER_COOKIE_NAME"),
    SessionCookie("session_id", "web2py and Odoo: sessions"),
    SessionCookie("AIOHTTP_SESSION", "aiohttp-session, cookie_name"),
    SessionCookie("beaker.session.id", "Beaker, session.key"),
    SessionCookie("__ac", "Plone, session authentication"),
    SessionCookie("webpy_session_id", "web.py, sessions"),
    SessionCookie("rack.session", "Rack::Session::Cookie, key"),
    SessionCookie("_session_id", "Rails before 3, session key"),
    SessionCookie("remember_user_token", "Devise, rememberable"),
    SessionCookie("user_credentials", "Authlogic, cookies"),
    SessionCookie("laravel_session", "Laravel, config/session.php"),
    SessionCookie("ci_session", "CodeIgniter, session library"),
    SessionCookie("CAKEPHP", "CakePHP, sessions"),
    SessionCookie("symfony", "symfony 1, storage session_name"),
    SessionCookie("_identity", "Yii 2, automatic login"),
    SessionCookie("OCSESSID", "OpenCart, sessions"),
    SessionCookie("fe_typo_user", "TYPO3, front end users"),
    SessionCookie("be_typo_user", "TYPO3, back end users"),
    SessionCookie("REMEMBERME", "Symfony Security, remember me"),
    SessionCookie("ASP.NET_SessionId", "ASP.NET, sessionState cookieName"),
    SessionCookie(".ASPXAUTH", "ASP.NET, forms authentication name"),
    SessionCookie(".ASPXFORMSAUTH", "ASP.NET, forms authentication, a name in wide use"),
    SessionCookie(".AspNet.ApplicationCookie", "ASP.NET Identity 2, cookie authentication"),
    SessionCookie(".AspNetCore.Session", "ASP.NET Core, SessionDefaults"),
    SessionCookie(".AspNetCore.Cookies", "ASP.NET Core, cookie authentication"),
    SessionCookie(".AspNetCore.Identity.Application", "ASP.NET Core Identity, IdentityConstants"),
    SessionCookie("FedAuth", "Windows Identity Foundation and SharePoint"),
    SessionCookie("CFID", "ColdFusion, session variables"),
    SessionCookie("CFTOKEN", "ColdFusion, session variables"),
    SessionCookie("vertx-web.session", "Eclipse Vert.x Web, session handler"),
    SessionCookie("quarkus-credential", "Quarkus, form based authentication"),
    SessionCookie("gorilla-session", "Gorilla sessions for Go, a name in wide use"),
    SessionCookie("beegosessionID", "Beego, session name"),
    SessionCookie("gosessionid", "Beego, session name of before 2"),
    SessionCookie("iris_session_id", "Iris for Go, sessions"),
    SessionCookie("i_like_gitea", "Gitea, session COOKIE_NAME"),
    SessionCookie("_gitlab_session", "GitLab, session store"),
    SessionCookie("user_session", "GitHub Enterprise Server, sessions"),
    SessionCookie("grafana_session", "Grafana, login_cookie_name"),
    SessionCookie("metabase.SESSION", "Metabase, sessions"),
    SessionCookie("seraph.rememberme.cookie", "Atlassian Seraph, remember me"),
    SessionCookie("JENKINS_SESSION", "Jenkins behind containers that rename the servlet session"),
    SessionCookie("argocd.token", "Argo CD, sessions"),
    SessionCookie("R_SESS", "Rancher, sessions"),
    SessionCookie("MMAUTHTOKEN", "Mattermost, sessions"),
    SessionCookie("JWT-SESSION", "SonarQube, sessions"),
    SessionCookie("MYSAPSSO2", "SAP NetWeaver, logon tickets"),
    SessionCookie("PVEAuthCookie", "Proxmox VE API, tickets"),
    SessionCookie("MoodleSession", "Moodle, session cookies"),
    SessionCookie("roundcube_sessid", "Roundcube, session_name"),
    SessionCookie("roundcube_sessauth", "Roundcube, session authentication"),
    SessionCookie("phpMyAdmin", "phpMyAdmin, session name"),
    SessionCookie("adminhtml", "Magento 1, administration session"),
    SessionCookie("zabbix_session", "Zabbix front end, sessions"),
    # Identity proxies and sign-in services.
    SessionCookie("_oauth2_proxy", "OAuth2 Proxy, cookie-name"),
    SessionCookie("mod_auth_openidc_session", "mod_auth_openidc, OIDCCookie"),
    SessionCookie("authelia_session", "Authelia, session name"),
    SessionCookie("VouchCookie", "Vouch Proxy, cookie.name"),
    SessionCookie("_pomerium", "Pomerium, cookie name"),
    SessionCookie("_forward_auth", "traefik-forward-auth, cookie-name"),
    SessionCookie("sb-access-token", "Supabase, auth helpers for servers of before 0.7"),
    SessionCookie("authentik_session", "authentik, sessions"),
    SessionCookie("KEYCLOAK_SESSION", "Keycloak, cookies"),
    SessionCookie("AUTH_SESSION_ID", "Keycloak, authentication sessions"),
    SessionCookie("iPlanetDirectoryPro", "OpenAM and its heirs, session cookie"),
    SessionCookie("LtpaToken2", "IBM WebSphere, LTPA"),
    SessionCookie("SMSESSION", "CA SiteMinder, session cookie"),
    SessionCookie("ObSSOCookie", "Oracle Access Manager, single sign-on"),
    SessionCookie("PD-S-SESSION-ID", "IBM Security Verify Access, session cookie over TLS"),
    SessionCookie("MRHSession", "F5 BIG-IP APM, session cookies"),
    SessionCookie("NSC_AAAC", "Citrix Gateway, session cookie"),
    SessionCookie("DSID", "Ivanti Connect Secure, session cookie"),
    SessionCookie("CF_Authorization", "Cloudflare Access, application token"),
    SessionCookie("GCP_IAP_UID", "Google Identity-Aware Proxy, sessions"),
    SessionCookie("AppServiceAuthSession", "Azure App Service, authentication"),
    SessionCookie("ory_kratos_session", "Ory Kratos, session cookie"),
    SessionCookie("better-auth.session_token", "Better Auth, cookies"),
    SessionCookie("sAccessToken", "SuperTokens, cookies"),
    SessionCookie("wos-session", "WorkOS AuthKit, session cookie"),
    # Networks of caches, which serve whoever brings what the application signed.
    SessionCookie("CloudFront-Signature", "Amazon CloudFront, signed cookies"),
    SessionCookie("Cloud-CDN-Cookie", "Google Cloud CDN, signed cookies"),
    # Names with a part of their own.
    SessionCookie(
        "_<APP>_session",
        "Rails since 3, session store key",
        rf"(?!_(?:{_NO_APPLICATION}))_[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*_session",
    ),
    SessionCookie(
        "<APP>_session",
        "Laravel, config/session.php, from APP_NAME",
        rf"(?!{_NO_APPLICATION})[a-z0-9]+(?:_[a-z0-9]+)*_session",
    ),
    SessionCookie("_<APP>_key", "Phoenix for Elixir, Plug.Session key", r"_[a-z0-9]+(?:_[a-z0-9]+)*_key"),
    SessionCookie("SAP_SESSIONID_<ID>", "SAP NetWeaver, security sessions", r"SAP_SESSIONID_[A-Z0-9]{3}_\d{3}"),
    SessionCookie("ASPSESSIONID<ID>", "Classic ASP, session cookie", r"ASPSESSIONID[A-Z]{8}"),
    SessionCookie("wordpress_logged_in_<HASH>", "WordPress, LOGGED_IN_COOKIE", r"wordpress_logged_in_[0-9a-f]{32}"),
    SessionCookie("wordpress_sec_<HASH>", "WordPress, SECURE_AUTH_COOKIE", r"wordpress_sec_[0-9a-f]{32}"),
    SessionCookie("SSESS<HASH>", "Drupal, session name over TLS", r"SSESS[0-9a-f]{32}"),
    SessionCookie("SESS<HASH>", "Drupal, session name", r"SESS[0-9a-f]{32}"),
    SessionCookie("PrestaShop-<HASH>", "PrestaShop, cookies", r"PrestaShop-[0-9a-f]{32}"),
    SessionCookie("JSESSIONID.<ID>", "Jenkins, session cookie of each instance", r"JSESSIONID\.[0-9a-f]{8}"),
    SessionCookie("_shibsession_<ID>", "Shibboleth Service Provider, cookies", r"_shibsession_[0-9a-f]{20,}"),
    SessionCookie("_oauth2_proxy_<N>", "OAuth2 Proxy, sessions split over cookies", r"_oauth2_proxy_\d{1,2}"),
    SessionCookie(".AspNetCore.CookiesC<N>", "ASP.NET Core, chunked cookies", r"\.AspNetCore\.CookiesC\d{1,2}"),
    SessionCookie("next-auth.session-token", "NextAuth.js, cookies", r"next-auth\.session-token(?:\.\d)?"),
    SessionCookie("authjs.session-token", "Auth.js, cookies", r"authjs\.session-token(?:\.\d)?"),
    SessionCookie(
        "appSession", "Auth0 express-openid-connect and nextjs-auth0, session name", r"appSession(?:\.\d{1,2})?"
    ),
    SessionCookie("remember_<GUARD>_<HASH>", "Laravel, remember me", r"remember_[a-z0-9-]{1,30}_[0-9a-f]{40}"),
    SessionCookie("sb-<REF>-auth-token", "Supabase Auth, cookies", r"sb-[a-z0-9-]{1,40}-auth-token(?:\.\d)?"),
    SessionCookie(
        "AWSELBAuthSessionCookie-<N>", "AWS load balancer, authenticating users", r"AWSELBAuthSessionCookie-\d"
    ),
    SessionCookie("a_session_<PROJECT>", "Appwrite, sessions", r"a_session_[A-Za-z0-9_-]{1,36}"),
)

LISTED = frozenset(cookie.name for cookie in COOKIES)
# An application's own word in a name: many things are called so, and the name alone does not tell a session from a state.
OPEN = frozenset(name for name in LISTED if "<APP>" in name)
PREFIXES = (b"__Host-", b"__Secure-")
_EXACT = {cookie.name.encode(): cookie.name for cookie in COOKIES if not cookie.pattern}
_PATTERNS = tuple((re.compile(cookie.pattern.encode()), cookie.name) for cookie in COOKIES if cookie.pattern)
_LONGEST = 128


def unprefixed(name: bytes) -> bytes:
    """A cookie's name without `__Host-` or `__Secure-`."""
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


# Names come from clients: remembered few, and never long ones.
@lru_cache(maxsize=1024)
def listed_name(name: bytes) -> str | None:
    """The name in this table under which a cookie is known; None where it is in no row."""
    name = unprefixed(name)
    if name in _EXACT:
        return _EXACT[name]
    if len(name) > _LONGEST:
        return None
    return next((listed for pattern, listed in _PATTERNS if pattern.fullmatch(name)), None)
