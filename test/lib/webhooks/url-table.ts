const NOT_A_URL = 'must be a URL, such as https://example.com/hooks.';
const HTTPS = 'must begin with https://.';
const PORT = 'must use port 443.';
const CREDENTIALS = 'must not contain a username or password.';
const CHARACTERS = 'must not contain spaces, backslashes or control characters.';
const LITERAL = 'must have a host name, not an IP address.';
const PRIVATE = 'must have a host name that is public, such as hooks.acme.com.';
const OWN = 'must not point back to Tandem.';
const LENGTH = 'must have at most 2048 characters.';

/** URLs, each with what is wrong with it or `ok`, for a Tandem at `https://api.tandem.com`. */
export const URLS: [url: string, verdict: string][] = [
  ['https://acme.com', 'ok'],
  ['https://acme.com/hook?team=1', 'ok'],
  ['HTTPS://ACME.COM/Hook', 'ok'],
  ['https://acme.com:443/hook', 'ok'],
  ['https://acme.com:0443/hook', 'ok'],
  ['https://acme.com./hook', 'ok'],
  ['https://münchen.de/hook', 'ok'],
  ['https://acme.xn--p1ai/hook', 'ok'],
  ['https://my_team.acme.com/hook', 'ok'],
  ['https://acme.com/a@b:c', 'ok'],
  ['https://127.0.0.1.nip.io/hook', 'ok'],
  ['https://10-0-0-1.acme.com/hook', 'ok'],
  ['https://inbox.platform.test/hook', 'ok'],
  ['https://tandem.com/hook', OWN],
  ['https://notapi.tandem.com/hook', OWN],
  ['https://nottandem.com/hook', 'ok'],
  ['https://tandem.com.acme.com/hook', 'ok'],
  ['https://other.workers.dev/hook', 'ok'],

  ['', NOT_A_URL],
  ['acme.com/hook', NOT_A_URL],
  ['/hook', NOT_A_URL],
  ['https://', NOT_A_URL],
  ['https://acme.com:port/', NOT_A_URL],
  ['https://acme.com:65536/', NOT_A_URL],
  ['https://256.0.0.1/', NOT_A_URL],
  ['https://acme.0x10/', NOT_A_URL],
  ['https://[::1/', NOT_A_URL],
  ['https://[fe80::1%25eth0]/', NOT_A_URL],
  ['https://ac%00me.com/', NOT_A_URL],
  [`https://acme.com/${'a'.repeat(2_048)}`, LENGTH],

  ['http://acme.com/hook', HTTPS],
  ['ftp://acme.com/hook', HTTPS],
  ['javascript:alert(1)', HTTPS],
  ['https:acme.com', HTTPS],
  ['https:///acme.com', HTTPS],
  ['http://localhost:3000/hook', HTTPS],

  ['https://acme.com:8443/', PORT],

  ['https://user:pass@acme.com/', CREDENTIALS],
  ['https://user@acme.com/', CREDENTIALS],
  ['https://@acme.com/', CREDENTIALS],
  ['https://:@acme.com/', CREDENTIALS],
  ['https://acme.com@10.0.0.1/', CREDENTIALS],

  [' https://acme.com/', CHARACTERS],
  ['https://acme.com/a b', CHARACTERS],
  ['https://ac\tme.com/', CHARACTERS],
  ['https://acme.com/\r\nX-Evil: 1', CHARACTERS],
  ['https://acme.com/\u0000', CHARACTERS],
  ['https://acme.com/\ud800', CHARACTERS],
  ['https:\\\\acme.com\\hook', CHARACTERS],
  ['https://acme.com\\@10.0.0.1/', CHARACTERS],

  ['https://127.0.0.1/', LITERAL],
  ['https://127.0.0.1./', LITERAL],
  ['https://2130706433/', LITERAL],
  ['https://0x7f000001/', LITERAL],
  ['https://127.0.0.1:443/', LITERAL],
  ['https://１２７.０.０.１/', LITERAL],
  ['https://127。0。0。1/', LITERAL],
  ['https://%31%32%37.0.0.1/', LITERAL],
  ['https://0/', LITERAL],
  ['https://169.254.169.254/latest/meta-data/', LITERAL],
  ['https://93.184.215.14/', LITERAL],
  ['https://[::1]/', LITERAL],
  ['https://[2606:4700:4700::1111]/', LITERAL],

  ['https://localhost/', PRIVATE],
  ['https://localhost./', PRIVATE],
  ['https://ⓛocalhost/', PRIVATE],
  ['https://api.localhost/', PRIVATE],
  ['https://intranet/', PRIVATE],
  ['https://com./', PRIVATE],
  ['https://metadata.google.internal/', PRIVATE],
  ['https://printer.local/', PRIVATE],
  ['https://1.0.0.127.in-addr.arpa/', PRIVATE],
  ['https://acme.invalid/', PRIVATE],
  ['https://duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion/', PRIVATE],
  ['https://acme.com../', PRIVATE],
  ['https://acme..com/', PRIVATE],
  ['https://.acme.com/', PRIVATE],
  ['https://-acme.com/', PRIVATE],
  ['https://*.acme.com/', PRIVATE],
  ["https://ac'me.com/", PRIVATE],
  [`https://${'a'.repeat(64)}.com/`, PRIVATE],
  [`https://${'a.'.repeat(130)}com/`, PRIVATE],

  ['https://api.tandem.com/v1/schedule', OWN],
  ['https://API.tandem.com./internal/deliver-webhook', OWN],
  ['https://%61pi.tandem.com/', OWN],
  ['https://eu.api.tandem.com/', OWN],
];
