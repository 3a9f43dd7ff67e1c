"""Cookies that never show who a user is, though they are long, random and often set by a login's answer.

A `*` stands for any characters. Names are compared without case: vendors change it, and nothing is lost by being strict.
kind: `affinity` (which server answers), `bot` (bot management), `consent`, `analytics` (advertising too), `csrf`,
`preference`, `flow` (a sign-in under way, not done).
"""

import re
from functools import lru_cache
from typing import NamedTuple


class IgnoredCookie(NamedTuple):
    """One name, or all that its stars match."""

    name: str
    kind: str
    source: str


COOKIES: tuple[IgnoredCookie, ...] = (
    IgnoredCookie("AWSALB*", "affinity", "AWS Application Load Balancer, sticky sessions"),
    IgnoredCookie("AWSELB", "affinity", "AWS Classic Load Balancer, sticky sessions"),
    IgnoredCookie("AWSELBCORS", "affinity", "AWS Classic Load Balancer, sticky sessions"),
    IgnoredCookie("ARRAffinity*", "affinity", "Azure App Service, session affinity"),
    IgnoredCookie("ApplicationGatewayAffinity*", "affinity", "Azure Application Gateway, cookie-based affinity"),
    IgnoredCookie("GCLB", "affinity", "Google Cloud Load Balancing, generated cookie affinity"),
    IgnoredCookie("GAESA", "affinity", "Google App Engine, session affinity"),
    IgnoredCookie("SERVERID*", "affinity", "HAProxy configuration manual, cookie"),
    IgnoredCookie("BIGipServer*", "affinity", "F5 BIG-IP LTM, cookie persistence"),
    IgnoredCookie("TS01*", "bot", "F5 Advanced WAF, its own cookies"),
    IgnoredCookie("NSC_*", "affinity", "Citrix ADC, cookie insertion persistence"),
    IgnoredCookie("citrix_ns_id*", "bot", "Citrix ADC application firewall"),
    IgnoredCookie("ROUTEID", "affinity", "Apache mod_proxy_balancer, stickysession"),
    IgnoredCookie("route", "affinity", "nginx ingress controller, session cookie name"),
    IgnoredCookie("INGRESSCOOKIE", "affinity", "nginx ingress controller, session cookie name"),
    IgnoredCookie("srv_id", "affinity", "nginx sticky, an example name in wide use"),
    IgnoredCookie("barra_counter_session", "affinity", "Barracuda Load Balancer"),
    IgnoredCookie("DYNSRV", "affinity", "Zeus and Brocade traffic managers"),
    IgnoredCookie("X-Mapping-*", "affinity", "Riverbed traffic manager, session persistence"),
    IgnoredCookie("dtCookie*", "analytics", "Dynatrace, cookies"),
    IgnoredCookie("rxVisitor*", "analytics", "Dynatrace, cookies"),
    IgnoredCookie("rxvt*", "analytics", "Dynatrace, cookies"),
    IgnoredCookie("dtSa*", "analytics", "Dynatrace, cookies"),
    IgnoredCookie("dtPC*", "analytics", "Dynatrace, cookies"),
    IgnoredCookie("__cf_bm", "bot", "Cloudflare, cookies"),
    IgnoredCookie("cf_clearance", "bot", "Cloudflare, cookies"),
    IgnoredCookie("__cfduid", "bot", "Cloudflare, cookies of before 2021"),
    IgnoredCookie("__cfruid", "bot", "Cloudflare, cookies"),
    IgnoredCookie("_cfuvid", "bot", "Cloudflare, cookies"),
    IgnoredCookie("__cflb", "affinity", "Cloudflare Load Balancing, session affinity"),
    IgnoredCookie("__cfseq*", "bot", "Cloudflare, cookies"),
    IgnoredCookie("cf_ob_info", "bot", "Cloudflare, cookies"),
    IgnoredCookie("_abck", "bot", "Akamai Bot Manager"),
    IgnoredCookie("ak_bmsc", "bot", "Akamai Bot Manager"),
    IgnoredCookie("bm_*", "bot", "Akamai Bot Manager"),
    IgnoredCookie("AKA_A2", "analytics", "Akamai Adaptive Acceleration"),
    IgnoredCookie("akaalb_*", "affinity", "Akamai Application Load Balancer"),
    IgnoredCookie("visid_incap_*", "bot", "Imperva, cookies"),
    IgnoredCookie("incap_ses_*", "bot", "Imperva, cookies"),
    IgnoredCookie("nlbi_*", "affinity", "Imperva, cookies"),
    IgnoredCookie("reese84", "bot", "Imperva Advanced Bot Protection"),
    IgnoredCookie("datadome", "bot", "DataDome, cookie"),
    IgnoredCookie("_px*", "bot", "HUMAN (PerimeterX), cookies"),
    IgnoredCookie("pxcts", "bot", "HUMAN (PerimeterX), cookies"),
    IgnoredCookie("KP_UID*", "bot", "Kasada, cookies"),
    IgnoredCookie("aws-waf-token", "bot", "AWS WAF, challenge token"),
    IgnoredCookie("_GRECAPTCHA", "bot", "Google reCAPTCHA"),
    IgnoredCookie("sucuri_cloudproxy_*", "bot", "Sucuri firewall"),
    IgnoredCookie("OptanonConsent", "consent", "OneTrust, cookies"),
    IgnoredCookie("OptanonAlertBoxClosed", "consent", "OneTrust, cookies"),
    IgnoredCookie("eupubconsent*", "consent", "IAB Transparency and Consent Framework"),
    IgnoredCookie("euconsent*", "consent", "IAB Transparency and Consent Framework"),
    IgnoredCookie("CookieConsent*", "consent", "Cookiebot, cookies"),
    IgnoredCookie("cookieyes-*", "consent", "CookieYes, cookies"),
    IgnoredCookie("didomi_token", "consent", "Didomi, cookies"),
    IgnoredCookie("notice_*", "consent", "TrustArc, cookies"),
    IgnoredCookie("usprivacy", "consent", "IAB US Privacy string"),
    IgnoredCookie("*consent*", "consent", "the habit of the above"),
    IgnoredCookie("_ga*", "analytics", "Google Analytics, cookie usage"),
    IgnoredCookie("_gid", "analytics", "Google Analytics, cookie usage"),
    IgnoredCookie("_gat*", "analytics", "Google Analytics, cookie usage"),
    IgnoredCookie("_gcl_*", "analytics", "Google Ads, cookies"),
    IgnoredCookie("__utm*", "analytics", "Google Analytics before 2012"),
    IgnoredCookie("__gads", "analytics", "Google Ad Manager, cookies"),
    IgnoredCookie("NID", "analytics", "Google, types of cookies"),
    IgnoredCookie("IDE", "analytics", "Google, types of cookies"),
    IgnoredCookie("_fbp", "analytics", "Meta Pixel, parameters"),
    IgnoredCookie("_fbc", "analytics", "Meta Pixel, parameters"),
    IgnoredCookie("_hj*", "analytics", "Hotjar, cookies"),
    IgnoredCookie("_clck", "analytics", "Microsoft Clarity, cookies"),
    IgnoredCookie("_clsk", "analytics", "Microsoft Clarity, cookies"),
    IgnoredCookie("MUID*", "analytics", "Microsoft Advertising, cookies"),
    IgnoredCookie("_uet*", "analytics", "Microsoft Advertising, universal event tracking"),
    IgnoredCookie("_pk_*", "analytics", "Matomo, tracking cookies"),
    IgnoredCookie("AMCV_*", "analytics", "Adobe Experience Cloud identity"),
    IgnoredCookie("AMCVS_*", "analytics", "Adobe Experience Cloud identity"),
    IgnoredCookie("s_vi*", "analytics", "Adobe Analytics, cookies"),
    IgnoredCookie("mbox*", "analytics", "Adobe Target, cookies"),
    IgnoredCookie("mp_*", "analytics", "Mixpanel, cookies"),
    IgnoredCookie("amplitude_id*", "analytics", "Amplitude, cookies"),
    IgnoredCookie("AMP_*", "analytics", "Amplitude, cookies"),
    IgnoredCookie("ajs_*", "analytics", "Segment Analytics.js, cookies"),
    IgnoredCookie("ph_*_posthog", "analytics", "PostHog, cookies"),
    IgnoredCookie("optimizelyEndUserId", "analytics", "Optimizely, cookies"),
    IgnoredCookie("_vwo_*", "analytics", "VWO, cookies"),
    IgnoredCookie("_vis_opt_*", "analytics", "VWO, cookies"),
    IgnoredCookie("hubspotutk", "analytics", "HubSpot, cookies"),
    IgnoredCookie("__hs*", "analytics", "HubSpot, cookies"),
    IgnoredCookie("intercom-*", "analytics", "Intercom Messenger, cookies"),
    IgnoredCookie("_dd_s", "analytics", "Datadog RUM, cookies"),
    IgnoredCookie("NRBA_*", "analytics", "New Relic browser agent"),
    IgnoredCookie("ai_session", "analytics", "Azure Application Insights, cookies"),
    IgnoredCookie("ai_user", "analytics", "Azure Application Insights, cookies"),
    IgnoredCookie("_y", "analytics", "Shopify, cookies"),
    IgnoredCookie("_s", "analytics", "Shopify, cookies"),
    IgnoredCookie("_shopify_*", "analytics", "Shopify, cookies"),
    IgnoredCookie("csrftoken", "csrf", "Django, CSRF_COOKIE_NAME"),
    IgnoredCookie("XSRF-TOKEN", "csrf", "Angular HttpClient; Laravel, CSRF protection"),
    IgnoredCookie("_csrf", "csrf", "csurf for Express; Yii, CSRF validation"),
    IgnoredCookie("csrf_cookie_name", "csrf", "CodeIgniter, security class"),
    IgnoredCookie(".AspNetCore.Antiforgery.*", "csrf", "ASP.NET Core, antiforgery"),
    IgnoredCookie("__RequestVerificationToken*", "csrf", "ASP.NET MVC, antiforgery"),
    IgnoredCookie("*csrf*", "csrf", "the habit of the above"),
    IgnoredCookie("*xsrf*", "csrf", "the habit of the above"),
    IgnoredCookie("*antiforgery*", "csrf", "the habit of the above"),
    IgnoredCookie(".AspNetCore.Correlation.*", "flow", "ASP.NET Core, remote authentication"),
    IgnoredCookie(".AspNetCore.OpenIdConnect.Nonce.*", "flow", "ASP.NET Core, OpenID Connect"),
    IgnoredCookie("mod_auth_openidc_state_*", "flow", "mod_auth_openidc, state cookies"),
    IgnoredCookie("next-auth.state", "flow", "NextAuth.js, cookies"),
    IgnoredCookie("next-auth.pkce*", "flow", "NextAuth.js, cookies"),
    IgnoredCookie("next-auth.callback-url", "flow", "NextAuth.js, cookies"),
    IgnoredCookie("KC_RESTART", "flow", "Keycloak, cookies"),
    IgnoredCookie("flash", "preference", "Rails and others: a message for the next page"),
    IgnoredCookie("locale", "preference", "a language"),
    IgnoredCookie("lang", "preference", "a language"),
)


def expression_of(name: str) -> str:
    """A name of the table as a regular expression."""
    return ".*".join(re.escape(part) for part in name.split("*"))


_IGNORED = re.compile("|".join(expression_of(cookie.name) for cookie in COOKIES).encode(), re.IGNORECASE | re.DOTALL)
_PREFIXED = re.compile(rb"__(?:Host|Secure)-")
_LONGEST = 256


@lru_cache(maxsize=1024)
def is_ignored(name: bytes) -> bool:
    """Whether a cookie of this name never counts; overlong names never do either."""
    if len(name) > _LONGEST:
        return True
    bare = _PREFIXED.sub(b"", name, count=1) if name.startswith(b"__") else name
    return _IGNORED.fullmatch(name) is not None or _IGNORED.fullmatch(bare) is not None
