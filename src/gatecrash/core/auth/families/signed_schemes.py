"""Scheme words of Authorization behind which a key id and a signature follow, and how they stand there.

form: `colon`, key id, colon, signature (others may stand between); `pairs`, `name=value` with any separator;
`any`, either. A word that ends with `*` stands for all that begin so, one between two for all that hold it.
"""

from typing import NamedTuple


class SignedScheme(NamedTuple):
    """One scheme word, in lower case."""

    word: str
    form: str
    source: str


SCHEMES: tuple[SignedScheme, ...] = (
    SignedScheme("sharedkey", "colon", "Azure Storage, authorize with Shared Key"),
    SignedScheme("sharedkeylite", "colon", "Azure Storage, authorize with Shared Key Lite"),
    SignedScheme("sharedaccesssignature", "pairs", "Azure Service Bus and IoT Hub, shared access signatures"),
    SignedScheme("aws", "colon", "Amazon S3, signature version 2"),
    SignedScheme("goog1", "colon", "Google Cloud Storage, migrating from Amazon S3"),
    SignedScheme("oss", "colon", "Alibaba Cloud OSS, signature version 1"),
    SignedScheme("oss4-hmac-sha256", "pairs", "Alibaba Cloud OSS, signature version 4"),
    SignedScheme("acs", "colon", "Alibaba Cloud, ROA style signatures"),
    SignedScheme("acs3-hmac-sha256", "pairs", "Alibaba Cloud, request signature version 3"),
    SignedScheme("obs", "colon", "Huawei Cloud OBS, header signatures"),
    SignedScheme("sdk-hmac-sha256", "pairs", "Huawei Cloud, AK/SK signing"),
    SignedScheme("tc3-hmac-sha256", "pairs", "Tencent Cloud API 3.0, signature v3"),
    SignedScheme("qbox", "colon", "Qiniu, management credentials"),
    SignedScheme("qiniu", "colon", "Qiniu, management credentials in the newer form"),
    SignedScheme("upyun", "colon", "UPYUN REST API, authorization"),
    SignedScheme("eg1-hmac-sha256", "pairs", "Akamai EdgeGrid, authorization header"),
    SignedScheme("vws", "colon", "Vuforia Web Services API, authorization"),
    SignedScheme("apiauth", "colon", "ApiAuth for Ruby, header format"),
    SignedScheme("apiauth-hmac-*", "colon", "ApiAuth for Ruby, header format with a digest"),
    SignedScheme("amx", "colon", "ASP.NET Web API, a habit of signing in wide use"),
    SignedScheme("mac", "pairs", "draft-hammer-oauth-v2-mac-token"),
    SignedScheme("acquia-http-hmac", "pairs", "Acquia HTTP HMAC specification 2.0"),
    SignedScheme("escher-hmac-*", "pairs", "Emarsys Escher, authorization header"),
    SignedScheme("veracode-hmac-sha-256", "pairs", "Veracode, HMAC signing"),
    SignedScheme("hmac", "any", "Kong, HMAC authentication; and others"),
    SignedScheme("hmacauth", "any", "spelling in wide use of hmac"),
    SignedScheme("hmac-*", "any", "Azure App Configuration, HMAC authentication; and others"),
    SignedScheme("*-hmac-*", "any", "the shape of cloud providers' words, with any vendor's own in front"),
)
