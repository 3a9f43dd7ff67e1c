"""Names under which vendors and gateways take an API key: headers (in capitals) and query parameters (as written).

look says what a value must be for the name to count: `opaque`, 8 or more visible characters; `hex32`, 32 hexadecimal
digits; or how the vendor's keys begin, where the name alone (`key`) says too little. source: where it is documented.
"""

import re
from typing import NamedTuple


class KeyName(NamedTuple):
    """One name of a vendor's key."""

    name: str
    look: str
    source: str


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
    # Data, search, models.
    KeyName("X-ALGOLIA-API-KEY", "opaque", "Algolia REST API, headers"),
    KeyName("X-TYPESENSE-API-KEY", "opaque", "Typesense API, authentication"),
    KeyName("X-MEILI-API-KEY", "opaque", "Meilisearch before v0.25, authentication"),
    KeyName("X-HASURA-ADMIN-SECRET", "opaque", "Hasura GraphQL engine, securing the endpoint"),
    KeyName("X-APPWRITE-KEY", "opaque", "Appwrite REST API, headers"),
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
    KeyName("X-EMBY-TOKEN", "opaque", "Emby REST API, API key authentication"),
    KeyName("X-GOTIFY-KEY", "opaque", "Gotify REST API, security schemes"),
    # Exchanges: the key stands beside a signature.
    KeyName("X-MBX-APIKEY", "opaque", "Binance spot API, request security"),
    KeyName("CB-ACCESS-KEY", "opaque", "Coinbase Exchange API, authentication"),
    KeyName("OK-ACCESS-KEY", "opaque", "OKX API v5, REST authentication"),
    KeyName("KC-API-KEY", "opaque", "KuCoin API, authentication"),
    KeyName("X-BAPI-API-KEY", "opaque", "Bybit API v5, authentication"),
    KeyName("X-CG-PRO-API-KEY", "opaque", "CoinGecko API, authentication"),
    KeyName("X-CMC_PRO_API_KEY", "opaque", "CoinMarketCap API, authentication"),
)

QUERY: tuple[KeyName, ...] = (
    KeyName("key", "AIza…", "Google Cloud, using API keys with REST"),
    KeyName("subscription-key", "opaque", "Azure API Management, subscriptions"),
    KeyName("api-key", "opaque", "New York Times APIs; Azure AI Search"),
    KeyName("api_token", "opaque", "Pipedrive API, authentication"),
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
