"""Names under which vendors and gateways take an API key: headers (in capitals) and query parameters (as written).

look says what a value must be for the name to count: `opaque`, 8 or more visible characters; `hex32`, 32 hexadecimal
digits; or how the vendor's keys begin, where the name alone (`key`) says too little. source: where it is documented.
pattern: a regular expression of the names that a folded one (`<VENDOR>-API-KEY`) stands for.
"""

import re
from typing import NamedTuple


class KeyName(NamedTuple):
    """One name of a vendor's key."""

    name: str
    look: str
    source: str
    pattern: str = ""


def _habit(end: str) -> KeyName:
    """All headers that end so: one parameter, or clients could name parameters without end."""
    return KeyName(f"<VENDOR>-{end}", "opaque", "the habit of vendors", rf"{_VENDOR}-{end}")


# What proves that a form is the page's own, or that nobody is a robot, says nothing of who asks.
_VENDOR = r"(?!.*(?:CSRF|XSRF|CAPTCHA))[A-Z0-9][A-Z0-9_-]{0,39}"


# A value that does not look so is not of this family at all. `opaque` is not here: the scheme itself judges that.
LOOKS: dict[str, re.Pattern[bytes]] = {
    "hex32": re.compile(rb"[0-9a-fA-F]{32}"),
    "AIza…": re.compile(rb"AIza[0-9A-Za-z_-]{35}"),
    "cs_…": re.compile(rb"cs_[0-9a-f]{40}"),
}

HEADERS: tuple[KeyName, ...] = (
    KeyName("X-API-KEY", "opaque", "OpenAPI 3.1, the usual name of an apiKey security scheme; AWS API Gateway"),
    KeyName("X-APIKEY", "opaque", "spelling in wide use of X-API-KEY"),
    KeyName("API-KEY", "opaque", "Azure OpenAI REST reference; New Relic NerdGraph"),
    KeyName("API_KEY", "opaque", "spelling in wide use of API-KEY"),
    KeyName("X-API-TOKEN", "opaque", "Qualtrics API, authentication"),
    KeyName("X-AUTH-TOKEN", "opaque", "OpenStack Identity API v3, authentication"),
    KeyName("X-ACCESS-TOKEN", "opaque", "SAP and others: a session's token in a header of its own"),
    KeyName("X-AUTH-KEY", "opaque", "Cloudflare API, global key"),
    KeyName("X-USER-TOKEN", "opaque", "simple_token_authentication for Rails, headers"),
    KeyName("API_ACCESS_TOKEN", "opaque", "Chatwoot API, access tokens"),
    KeyName("TOKEN", "opaque", "phpIPAM API, token; a bare name in wide use"),
    KeyName("AUTH-TOKEN", "opaque", "spelling in wide use of X-AUTH-TOKEN"),
    KeyName("ACCESS-TOKEN", "opaque", "devise_token_auth for Rails, headers; Pushbullet API"),
    KeyName("ACCESS_TOKEN", "opaque", "Asaas API, authentication"),
    KeyName("SESSION-TOKEN", "opaque", "GLPI REST API, sessions"),
    KeyName("X-SESSION-TOKEN", "opaque", "Ory Kratos, sessions of native applications"),
    KeyName("APP-TOKEN", "opaque", "GLPI REST API, application tokens"),
    KeyName("X-APP-TOKEN", "opaque", "Socrata Open Data API, application tokens"),
    KeyName("X-APP-KEY", "opaque", "Nutritionix API, authentication"),
    KeyName("X-CLIENT-SECRET", "opaque", "spelling in wide use of CLIENT_SECRET"),
    KeyName("X-SERVICE-TOKEN", "opaque", "OpenStack keystonemiddleware, service tokens"),
    KeyName("X-STORAGE-TOKEN", "opaque", "OpenStack Object Storage, authentication of version 1"),
    KeyName("X-INTERNAL-TOKEN", "opaque", "in wide use between services of one owner"),
    KeyName("X-ADMIN-TOKEN", "opaque", "in wide use before functions of administrators"),
    KeyName("X-ADMIN-KEY", "opaque", "in wide use before functions of administrators"),
    KeyName("X-MASTER-KEY", "opaque", "JSONBin.io API v3, authentication"),
    KeyName("X-ACCESS-KEY", "opaque", "JSONBin.io API v3, access keys"),
    KeyName("X-APITOKEN", "opaque", "spelling in wide use of X-API-TOKEN"),
    KeyName("API-TOKEN", "opaque", "spelling in wide use of X-API-TOKEN"),
    KeyName("X-WEBHOOK-SECRET", "opaque", "in wide use before receivers of webhooks"),
    KeyName("X-WEBHOOK-TOKEN", "opaque", "in wide use before receivers of webhooks"),
    KeyName("X-AUTH", "opaque", "File Browser, its own API"),
    KeyName("AUTHENTICATION", "opaque", "spelling in wide use of Authorization"),
    KeyName("X-AUTHENTICATION", "opaque", "Betfair Exchange API, session tokens"),
    KeyName("X-AUTHORIZATION", "opaque", "in wide use where servers drop Authorization"),
    KeyName("AUTHORIZATION-TOKEN", "opaque", "in wide use where servers drop Authorization"),
    KeyName("X-AUTHORIZATION-TOKEN", "opaque", "in wide use where servers drop Authorization"),
    KeyName("AUTHENTICATION-TOKEN", "opaque", "spelling in wide use of AUTHORIZATION-TOKEN"),
    KeyName("X-AUTHENTICATION-TOKEN", "opaque", "spelling in wide use of AUTHORIZATION-TOKEN"),
    KeyName("AUTHORIZATION-KEY", "opaque", "spelling in wide use of AUTHORIZATION-TOKEN"),
    KeyName("AUTHTOKEN", "opaque", "spelling in wide use of AUTH-TOKEN"),
    KeyName("X-AUTHTOKEN", "opaque", "spelling in wide use of X-AUTH-TOKEN"),
    KeyName("AUTH_TOKEN", "opaque", "spelling in wide use of AUTH-TOKEN"),
    KeyName("AUTH-KEY", "opaque", "spelling in wide use of X-AUTH-KEY"),
    KeyName("AUTHKEY", "opaque", "spelling in wide use of X-AUTH-KEY"),
    KeyName("ACCESSTOKEN", "opaque", "spelling in wide use of ACCESS-TOKEN"),
    KeyName("USER-TOKEN", "opaque", "spelling in wide use of X-USER-TOKEN"),
    KeyName("JWT-TOKEN", "opaque", "in wide use beside X-JWT-TOKEN"),
    # Clouds and gateways.
    KeyName("X-GOOG-API-KEY", "opaque", "Google Cloud, API keys overview"),
    KeyName("X-FUNCTIONS-KEY", "opaque", "Azure Functions, HTTP trigger keys"),
    KeyName("X-ZUMO-AUTH", "opaque", "Azure App Service, client-directed sign-in"),
    KeyName("X-AMZ-ACCESS-TOKEN", "opaque", "Amazon Selling Partner API, connecting"),
    KeyName("X-IBM-CLIENT-ID", "opaque", "IBM API Connect, client identification"),
    KeyName("X-IBM-CLIENT-SECRET", "opaque", "IBM API Connect, client identification"),
    KeyName("X-RAPIDAPI-KEY", "opaque", "RapidAPI, calling an API"),
    KeyName("X-RAPIDAPI-PROXY-SECRET", "opaque", "RapidAPI, securing a provider's backend"),
    KeyName("X-MASHAPE-KEY", "opaque", "RapidAPI, the older name of its key"),
    KeyName("X-GRAVITEE-API-KEY", "opaque", "Gravitee API Management, API key plan"),
    KeyName("X-TYK-AUTHORIZATION", "opaque", "Tyk Gateway API, secret"),
    KeyName("KONG-ADMIN-TOKEN", "opaque", "Kong Gateway, Admin API with RBAC"),
    KeyName("X-F5-AUTH-TOKEN", "opaque", "F5 iControl REST user guide, tokens"),
    KeyName("X-PAN-KEY", "opaque", "PAN-OS REST API, authentication"),
    KeyName("X-AUTH-ACCESS-TOKEN", "opaque", "Cisco Secure Firewall Management Center REST API"),
    KeyName("X-CISCO-MERAKI-API-KEY", "opaque", "Cisco Meraki Dashboard API, authorization"),
    KeyName("CF-ACCESS-CLIENT-SECRET", "opaque", "Cloudflare Access, service tokens"),
    KeyName("FASTLY-KEY", "opaque", "Fastly API, authentication"),
    KeyName("ACCESSKEY", "opaque", "bunny.net API, authentication"),
    KeyName("X-DREAMFACTORY-API-KEY", "opaque", "DreamFactory, API keys"),
    KeyName("X-DREAMFACTORY-SESSION-TOKEN", "opaque", "DreamFactory, sessions of users"),
    KeyName("X-REDLOCK-AUTH", "opaque", "Prisma Cloud API, authentication"),
    KeyName("X-OTX-API-KEY", "opaque", "AlienVault OTX API, authentication"),
    # Infrastructure and observability.
    KeyName("X-VAULT-TOKEN", "opaque", "HashiCorp Vault HTTP API, authentication"),
    KeyName("X-CONSUL-TOKEN", "opaque", "HashiCorp Consul HTTP API, authentication"),
    KeyName("X-NOMAD-TOKEN", "opaque", "HashiCorp Nomad HTTP API, access control"),
    KeyName("DD-API-KEY", "opaque", "Datadog API, authentication"),
    KeyName("DD-APPLICATION-KEY", "opaque", "Datadog API, authentication"),
    KeyName("X-HONEYCOMB-TEAM", "opaque", "Honeycomb API, authentication"),
    KeyName("X-SF-TOKEN", "opaque", "Splunk Observability Cloud API, authentication"),
    KeyName("X-INSERT-KEY", "opaque", "New Relic Event API"),
    KeyName("X-QUERY-KEY", "opaque", "New Relic Insights query API"),
    KeyName("X-ROLLBAR-ACCESS-TOKEN", "opaque", "Rollbar API, authentication"),
    KeyName("X-RUNDECK-AUTH-TOKEN", "opaque", "Rundeck API, token authentication"),
    # Code, builds, packages.
    KeyName("PRIVATE-TOKEN", "opaque", "GitLab REST API, personal access tokens"),
    KeyName("JOB-TOKEN", "opaque", "GitLab REST API, job tokens"),
    KeyName("DEPLOY-TOKEN", "opaque", "GitLab package registry, deploy tokens"),
    KeyName("X-GITLAB-TOKEN", "opaque", "GitLab webhooks, secret token"),
    KeyName("CIRCLE-TOKEN", "opaque", "CircleCI API v2, authentication"),
    KeyName("X-TELEGRAM-BOT-API-SECRET-TOKEN", "opaque", "Telegram Bot API, setWebhook"),
    KeyName("X-BUILDKITE-TOKEN", "opaque", "Buildkite webhooks, token"),
    KeyName("X-JFROG-ART-API", "opaque", "JFrog Artifactory REST API, API keys"),
    KeyName("X-NUGET-APIKEY", "opaque", "NuGet server API, push and delete"),
    KeyName("X-OCTOPUS-APIKEY", "opaque", "Octopus Deploy REST API, authentication"),
    KeyName("X-REDMINE-API-KEY", "opaque", "Redmine REST API, authentication"),
    KeyName("X-TRACKERTOKEN", "opaque", "Pivotal Tracker API v5, authentication"),
    KeyName("X-API-AUTH", "opaque", "Kanboard API, authentication"),
    KeyName("X-CHATWORKTOKEN", "opaque", "Chatwork API, authentication"),
    KeyName("ZSESSIONID", "opaque", "Rally Web Services API, API keys"),
    # Data, search, models.
    KeyName("X-ALGOLIA-API-KEY", "opaque", "Algolia REST API, headers"),
    KeyName("X-TYPESENSE-API-KEY", "opaque", "Typesense API, authentication"),
    KeyName("X-MEILI-API-KEY", "opaque", "Meilisearch before v0.25, authentication"),
    KeyName("X-HASURA-ADMIN-SECRET", "opaque", "Hasura GraphQL engine, securing the endpoint"),
    KeyName("X-APPWRITE-KEY", "opaque", "Appwrite REST API, headers"),
    KeyName("X-APPWRITE-JWT", "opaque", "Appwrite REST API, headers"),
    KeyName("X-APPWRITE-SESSION", "opaque", "Appwrite REST API, headers"),
    KeyName("X-CASSANDRA-TOKEN", "opaque", "Stargate and Astra DB, REST API"),
    KeyName("X-CLICKHOUSE-KEY", "opaque", "ClickHouse, HTTP interface"),
    KeyName("XC-TOKEN", "opaque", "NocoDB REST API, API tokens"),
    KeyName("XC-AUTH", "opaque", "NocoDB REST API, tokens of users"),
    KeyName("X-CYBOZU-API-TOKEN", "opaque", "Kintone REST API, authentication"),
    KeyName("X-CYBOZU-AUTHORIZATION", "opaque", "Kintone REST API, authentication"),
    KeyName("X-KNACK-REST-API-KEY", "opaque", "Knack API, authentication"),
    KeyName("X-SAP-LOGONTOKEN", "opaque", "SAP BusinessObjects BI platform REST API, logon tokens"),
    KeyName("X-MSTR-AUTHTOKEN", "opaque", "MicroStrategy REST API, authentication"),
    KeyName("X-OKAPI-TOKEN", "opaque", "FOLIO Okapi, security"),
    KeyName("DOLAPIKEY", "opaque", "Dolibarr REST API, authentication"),
    KeyName("ZOTERO-API-KEY", "opaque", "Zotero Web API v3, authentication"),
    KeyName("X-ELS-APIKEY", "opaque", "Elsevier APIs, authentication"),
    KeyName("X-PARSE-REST-API-KEY", "opaque", "Parse REST API guide, headers"),
    KeyName("X-PARSE-MASTER-KEY", "opaque", "Parse REST API guide, headers"),
    KeyName("X-PARSE-SESSION-TOKEN", "opaque", "Parse REST API guide, users"),
    KeyName("X-LC-KEY", "opaque", "LeanCloud REST API, authentication"),
    KeyName("X-METABASE-SESSION", "opaque", "Metabase API, sessions"),
    KeyName("X-TABLEAU-AUTH", "opaque", "Tableau REST API, credentials token"),
    KeyName("X-DOMO-DEVELOPER-TOKEN", "opaque", "Domo API, developer tokens"),
    KeyName("X-SUBSCRIPTION-TOKEN", "opaque", "Brave Search API, headers"),
    KeyName("XI-API-KEY", "opaque", "ElevenLabs API, authentication"),
    KeyName("X-N8N-API-KEY", "opaque", "n8n public API, authentication"),
    KeyName("X-AIO-KEY", "opaque", "Adafruit IO HTTP API, authentication"),
    KeyName("THINGSPEAKAPIKEY", "opaque", "ThingSpeak REST API, headers"),
    # Commerce, mail, design, media.
    KeyName("X-SHOPIFY-ACCESS-TOKEN", "opaque", "Shopify Admin API, authentication"),
    KeyName("X-SHOPIFY-STOREFRONT-ACCESS-TOKEN", "opaque", "Shopify Storefront API, authentication"),
    KeyName("X-RECHARGE-ACCESS-TOKEN", "opaque", "Recharge API, authentication"),
    KeyName("X-EBAY-API-IAF-TOKEN", "opaque", "eBay Trading API, HTTP headers"),
    KeyName("X-POSTMARK-SERVER-TOKEN", "opaque", "Postmark API overview"),
    KeyName("X-POSTMARK-ACCOUNT-TOKEN", "opaque", "Postmark API overview"),
    KeyName("X-FIGMA-TOKEN", "opaque", "Figma REST API, authentication"),
    KeyName("X-PLEX-TOKEN", "opaque", "Plex Media Server, authentication tokens"),
    KeyName("X-MEDIABROWSER-TOKEN", "opaque", "Jellyfin API, authorization"),
    KeyName("X-RIOT-TOKEN", "opaque", "Riot Games API, keys"),
    KeyName("X-APISPORTS-KEY", "opaque", "API-Sports, authentication"),
    KeyName("X-TBA-AUTH-KEY", "opaque", "The Blue Alliance API v3, authentication"),
    KeyName("X-SERVER-API-KEY", "opaque", "Postal HTTP API, authentication"),
    KeyName("X-SPREE-TOKEN", "opaque", "Spree Commerce API v1, authentication"),
    KeyName("X-EMBY-TOKEN", "opaque", "Emby REST API, API key authentication"),
    KeyName("X-GOTIFY-KEY", "opaque", "Gotify REST API, security schemes"),
    # Exchanges: the key stands beside a signature.
    KeyName("X-MBX-APIKEY", "opaque", "Binance spot API, request security"),
    KeyName("CB-ACCESS-KEY", "opaque", "Coinbase Exchange API, authentication"),
    KeyName("OK-ACCESS-KEY", "opaque", "OKX API v5, REST authentication"),
    KeyName("KC-API-KEY", "opaque", "KuCoin API, authentication"),
    KeyName("X-BAPI-API-KEY", "opaque", "Bybit API v5, authentication"),
    KeyName("X-CG-PRO-API-KEY", "opaque", "CoinGecko API, authentication"),
    KeyName("X-CG-DEMO-API-KEY", "opaque", "CoinGecko API, authentication"),
    KeyName("X-COINAPI-KEY", "opaque", "CoinAPI REST API, authorization"),
    KeyName("X-FINNHUB-TOKEN", "opaque", "Finnhub API, authentication"),
    KeyName("APCA-API-KEY-ID", "opaque", "Alpaca Trading API, authentication"),
    KeyName("APCA-API-SECRET-KEY", "opaque", "Alpaca Trading API, authentication"),
    KeyName("X-IG-API-KEY", "opaque", "IG REST Trading API, authentication"),
    KeyName("X-SECURITY-TOKEN", "opaque", "IG REST Trading API, sessions"),
    KeyName("X-CMC_PRO_API_KEY", "opaque", "CoinMarketCap API, authentication"),
    *map(
        _habit,
        ("API-KEY", "APIKEY", "API-TOKEN", "API-SECRET", "AUTH-TOKEN", "ACCESS-TOKEN", "SESSION-TOKEN", "ADMIN-SECRET"),
    ),
)

QUERY: tuple[KeyName, ...] = (
    KeyName("key", "AIza…", "Google Cloud, using API keys with REST"),
    KeyName("subscription-key", "opaque", "Azure API Management, subscriptions"),
    KeyName("api-key", "opaque", "New York Times APIs; Azure AI Search"),
    KeyName("api_token", "opaque", "Pipedrive API, authentication"),
    KeyName("auth_token", "opaque", "Devise for Rails before 3.1, token authentication; a name in wide use"),
    KeyName("accessToken", "opaque", "spelling in wide use of access_token"),
    KeyName("authToken", "opaque", "spelling in wide use of auth_token"),
    KeyName("private_token", "opaque", "GitLab REST API, personal access tokens"),
    KeyName("circle-token", "opaque", "CircleCI API v1.1, authentication"),
    KeyName("hapikey", "opaque", "HubSpot API, keys of before 2022"),
    KeyName("user_key", "opaque", "3scale API Management, authentication patterns"),
    KeyName("app_key", "opaque", "3scale API Management, authentication patterns"),
    KeyName("appid", "hex32", "OpenWeather API, authentication"),
    KeyName("access_key", "hex32", "apilayer APIs, authentication"),
    KeyName("consumer_secret", "cs_…", "WooCommerce REST API, authentication over HTTPS"),
    KeyName("serviceKey", "opaque", "Korean public data portal, open API guide"),
    KeyName("X-Plex-Token", "opaque", "Plex Media Server, authentication tokens"),
)
