"""Headers in which a sender signs a whole request with a shared key, and how each vendor writes the signature.

shape: `hex` or `base64`, a bare digest; `labelled`, as in `sha256=…`, `v0=…`; `timestamped`, pairs with a time and one
digest or more, as in `t=…,v1=…`; `versioned`, as in `v1,… v1,…`; `any` of these five where vendors share a name; `key_pair`, base64
of what a private key signed; `username_token`, pairs with a digest of a nonce, a moment and the password.
The key id is not needed: the receiver knows whom it waits for.
"""

from typing import NamedTuple


class SignatureHeader(NamedTuple):
    """One vendor's header (in capitals). pattern: a regular expression where the name stands for many."""

    name: str
    shape: str
    source: str
    pattern: str = ""


HEADERS: tuple[SignatureHeader, ...] = (
    # Code and builds.
    SignatureHeader("X-HUB-SIGNATURE", "labelled", "WebSub, section 7; GitHub and Meta webhooks"),
    SignatureHeader("X-HUB-SIGNATURE-256", "labelled", "GitHub, validating webhook deliveries"),
    SignatureHeader("X-GITEA-SIGNATURE", "hex", "Gitea, webhooks"),
    SignatureHeader("X-GOGS-SIGNATURE", "hex", "Gogs, webhooks"),
    SignatureHeader("X-FORGEJO-SIGNATURE", "hex", "Forgejo, webhooks"),
    SignatureHeader("CIRCLECI-SIGNATURE", "labelled", "CircleCI, outbound webhooks"),
    SignatureHeader("X-BUILDKITE-SIGNATURE", "timestamped", "Buildkite, webhooks"),
    SignatureHeader("X-VERCEL-SIGNATURE", "hex", "Vercel, webhooks"),
    SignatureHeader("LINEAR-SIGNATURE", "hex", "Linear, webhooks"),
    SignatureHeader("SENTRY-HOOK-SIGNATURE", "hex", "Sentry, integration platform webhooks"),
    SignatureHeader("X-PAGERDUTY-SIGNATURE", "labelled", "PagerDuty, verifying webhook signatures"),
    SignatureHeader("X-TRELLO-WEBHOOK", "base64", "Trello, webhooks"),
    SignatureHeader("X-HOOK-SIGNATURE", "hex", "Asana, webhooks guide"),
    SignatureHeader("X-CONTENTFUL-SIGNATURE", "hex", "Contentful, request verification"),
    SignatureHeader("SVIX-SIGNATURE", "versioned", "Svix, verifying webhooks manually"),
    SignatureHeader("WEBHOOK-SIGNATURE", "any", "Standard Webhooks specification; GoCardless webhooks (hex)"),
    # Payments and commerce.
    SignatureHeader("STRIPE-SIGNATURE", "timestamped", "Stripe, verifying webhook signatures"),
    SignatureHeader("HMACSIGNATURE", "base64", "Adyen, HMAC signatures of platform webhooks"),
    SignatureHeader("PADDLE-SIGNATURE", "timestamped", "Paddle Billing, signature verification"),
    SignatureHeader("X-SHOPIFY-HMAC-SHA256", "base64", "Shopify, verifying webhooks"),
    SignatureHeader("X-WC-WEBHOOK-SIGNATURE", "base64", "WooCommerce, webhooks"),
    SignatureHeader("X-SQUARE-SIGNATURE", "base64", "Square, webhooks of before 2021"),
    SignatureHeader("X-SQUARE-HMACSHA256-SIGNATURE", "base64", "Square, validating webhooks"),
    SignatureHeader("X-RAZORPAY-SIGNATURE", "hex", "Razorpay, validating webhooks"),
    SignatureHeader("X-PAYSTACK-SIGNATURE", "hex", "Paystack, webhooks"),
    SignatureHeader("X-CC-WEBHOOK-SIGNATURE", "hex", "Coinbase Commerce, webhooks"),
    SignatureHeader("X-RECHARGE-HMAC-SHA256", "hex", "Recharge, webhooks"),
    SignatureHeader("INTUIT-SIGNATURE", "base64", "QuickBooks Online, webhooks"),
    SignatureHeader("X-XERO-SIGNATURE", "base64", "Xero, webhooks"),
    SignatureHeader("X-SIGNATURE", "any", "Lemon Squeezy (hex) and Mercado Pago (ts, v1) webhooks"),
    SignatureHeader("X-PATREON-SIGNATURE", "hex", "Patreon, webhooks (MD5)"),
    SignatureHeader("PERSONA-SIGNATURE", "timestamped", "Persona, webhooks best practices"),
    SignatureHeader("X-SHA2-SIGNATURE", "hex", "Onfido, webhooks"),
    SignatureHeader("X-PAYLOAD-DIGEST", "hex", "Sumsub, verifying webhook senders"),
    SignatureHeader("PAYPAL-TRANSMISSION-SIG", "key_pair", "PayPal, verifying webhook messages"),
    # Messages, meetings, documents, forms.
    SignatureHeader("X-SLACK-SIGNATURE", "labelled", "Slack, verifying requests"),
    SignatureHeader("X-SIGNATURE-ED25519", "hex", "Discord, interactions: security and authorization"),
    SignatureHeader("X-ZM-SIGNATURE", "labelled", "Zoom, verifying webhook events"),
    SignatureHeader("X-TWILIO-SIGNATURE", "base64", "Twilio, webhooks security"),
    SignatureHeader(
        "X-TWILIO-EMAIL-EVENT-WEBHOOK-SIGNATURE", "key_pair", "SendGrid, security features of the event webhook"
    ),
    SignatureHeader("TELNYX-SIGNATURE-ED25519", "key_pair", "Telnyx, webhook signing"),
    SignatureHeader("MESSAGEBIRD-SIGNATURE", "base64", "MessageBird, verifying HTTP requests"),
    SignatureHeader("X-LINE-SIGNATURE", "base64", "LINE Messaging API, verifying signatures"),
    SignatureHeader("X-TWITTER-WEBHOOKS-SIGNATURE", "labelled", "X Account Activity API, securing webhooks"),
    SignatureHeader("TWITCH-EVENTSUB-MESSAGE-SIGNATURE", "labelled", "Twitch EventSub, verifying the event message"),
    SignatureHeader("TIKTOK-SIGNATURE", "timestamped", "TikTok for Developers, webhook verification"),
    SignatureHeader("X-PUSHER-SIGNATURE", "hex", "Pusher Channels, webhooks"),
    SignatureHeader("X-MANDRILL-SIGNATURE", "base64", "Mailchimp Transactional, authenticating webhook requests"),
    SignatureHeader("X-ZENDESK-WEBHOOK-SIGNATURE", "base64", "Zendesk, verifying webhooks"),
    SignatureHeader("X-HUBSPOT-SIGNATURE", "hex", "HubSpot, validating requests v1 and v2"),
    SignatureHeader("X-HUBSPOT-SIGNATURE-V3", "base64", "HubSpot, validating requests v3"),
    SignatureHeader("TYPEFORM-SIGNATURE", "labelled", "Typeform, securing webhooks"),
    SignatureHeader("CALENDLY-WEBHOOK-SIGNATURE", "timestamped", "Calendly, webhook signatures"),
    SignatureHeader("X-DOCUSIGN-SIGNATURE-1", "base64", "DocuSign Connect, HMAC"),
    SignatureHeader("X-DROPBOX-SIGNATURE", "hex", "Dropbox, webhooks"),
    SignatureHeader("BOX-SIGNATURE-PRIMARY", "base64", "Box, webhook signatures"),
    SignatureHeader("BOX-SIGNATURE-SECONDARY", "base64", "Box, webhook signatures"),
    SignatureHeader("X-NYLAS-SIGNATURE", "hex", "Nylas, webhooks"),
    SignatureHeader("MUX-SIGNATURE", "timestamped", "Mux, verifying webhook signatures"),
    SignatureHeader("ELEVENLABS-SIGNATURE", "timestamped", "ElevenLabs, webhooks"),
    SignatureHeader("X-ALCHEMY-SIGNATURE", "hex", "Alchemy, notify webhooks"),
    # Signed requests whose key stands in another header.
    SignatureHeader("CB-ACCESS-SIGN", "any", "Coinbase Exchange API, authentication"),
    SignatureHeader("OK-ACCESS-SIGN", "base64", "OKX API v5, REST authentication"),
    SignatureHeader("KC-API-SIGN", "base64", "KuCoin API, authentication"),
    SignatureHeader("X-BAPI-SIGN", "hex", "Bybit API v5, authentication"),
    SignatureHeader("API-SIGN", "base64", "Kraken REST API, authentication"),
    SignatureHeader("X-GEMINI-SIGNATURE", "hex", "Gemini REST API, private invocation"),
    SignatureHeader("BFX-SIGNATURE", "hex", "Bitfinex REST API, authenticated endpoints"),
    SignatureHeader("X-APP-ACCESS-SIG", "hex", "Sumsub API, request signing"),
    SignatureHeader(
        "X-WSSE", "username_token", "Atom authentication; OASIS WSS UsernameToken Profile 1.1.1, section 3.1"
    ),
    SignatureHeader("X-SIGNATURE-256", "any", "a name in wide use"),
    SignatureHeader("X-SIGNATURE-SHA256", "any", "a name in wide use"),
    SignatureHeader("X-HMAC", "any", "a name in wide use"),
    SignatureHeader("X-HMAC-SHA256", "any", "a name in wide use"),
    # All others that follow the habit are one parameter, or clients could name parameters without end.
    SignatureHeader(
        "X-<VENDOR>-SIGNATURE",
        "any",
        "the habit of the above",
        r"X-[A-Z0-9_-]{1,40}-SIGNATURE(?:-256|-V\d|-(?:HMAC-)?SHA-?\d{1,3})?",
    ),
    SignatureHeader("X-<VENDOR>-HMAC", "any", "the habit of the above", r"X-[A-Z0-9_-]{1,40}-HMAC(?:-SHA-?\d{1,3})?"),
    SignatureHeader("<VENDOR>-SIGNATURE", "any", "the habit of the above", r"(?!X-)[A-Z0-9][A-Z0-9_-]{1,39}-SIGNATURE"),
)
