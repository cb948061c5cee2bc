import ipaddr from 'ipaddr.js';
import type { Ctx } from './context.ts';
import { DnsError } from './ports.ts';

const { IPv4, IPv6 } = ipaddr;

// Kinds of ranges of IANA's IPv4 special-purpose registry (RFC 6890) that are public, and all that is in no range.
const PUBLIC_V4 = ['unicast', 'as112', 'amt'];
/** Azure answers its guest machines at this public address. */
const OF_AZURE = '168.63.129.16';

// Only 2000::/3 is public. That excludes loopback, mapped and compatible IPv4, NAT64, discard, SRv6, ULA, link-local
// and multicast. The list below has the special ranges inside 2000::/3: protocol assignments with Teredo,
// documentation, 6to4, the 6bone.
const PUBLIC_V6 = '2000::/3';
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'];

/** An IPv6 address that embeds an IPv4 address never counts as public. */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address === undefined) return false;
  if (address instanceof IPv4) return PUBLIC_V4.includes(address.range()) && address.toString() !== OF_AZURE;
  const liesIn = (range: string) => address.match(IPv6.parseCIDR(range));
  return liesIn(PUBLIC_V6) && !NOT_PUBLIC_V6.some(liesIn);
}

/** Rate limits count an IPv4 address, or the /64 of an IPv6 address, because one customer holds the whole /64. */
export function networkOf(text: string): string {
  const address = readAddress(text);
  if (address === undefined) return 'unknown';
  if (address instanceof IPv4) return address.toString();
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  return `${Array.from(address.parts.slice(0, 4), (part) => part.toString(16)).join(':')}::/64`;
}

/** The audit log keeps the /24 of IPv4, the /64 of IPv6. Returns null for a text that is no IP address. */
export function blockOf(text: string): string | null {
  const network = networkOf(text);
  if (network === 'unknown') return null;
  return network.endsWith('/64') ? network : `${network.slice(0, network.lastIndexOf('.') + 1)}0/24`;
}

// Parses an IP address in its usual form. The package would also accept octal, hexadecimal and short IPv4, and IPv6
// with a zone index. DNS and Cloudflare write none of these, so they are rejected. The package throws and catches an
// error for a text in the other notation, which costs more than all else here, so the colon decides first.
function readAddress(text: string) {
  if (!text.includes(':'))
    return /^[\d.]+$/.test(text) && IPv4.isValidFourPartDecimal(text) ? IPv4.parse(text) : undefined;
  return IPv6.isValid(text) && !text.includes('%') ? IPv6.parse(text) : undefined;
}

export type UrlVerdict = { safe: true } | { safe: false; reason: string };
export type UrlCheck =
  | { safe: true }
  | { safe: false; error: 'unsafe_url' | 'dns_failed' | 'dns_unavailable'; reason: string };

const unsafe = (reason: string) => ({ safe: false, reason }) as const;

const MAX_LENGTH = 2_048;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
// These names resolve only in a home or an office, or nowhere. `.test` and `.example` are left to DNS, which has none.
const PRIVATE_SUFFIX = /\.(localhost|local|internal|intranet|private|lan|home|corp|arpa|onion|alt|invalid)$/;
// Host names of letters, digits, hyphens and underscores, all of which DNS allows. The last label is never a number.
const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+$|0x)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

export const isLocal = (url: string) => LOCAL_HOSTS.includes(new URL(url).hostname);

/** Judges by text alone. Refuses every IP literal, because a Worker cannot fetch an address without a name. */
export function isSafeUrl(
  text: string,
  { allowLocal, ownDomain }: { allowLocal: boolean; ownDomain?: string | undefined },
): UrlVerdict {
  if (text.length > MAX_LENGTH) return unsafe(`must have at most ${MAX_LENGTH} characters.`);
  if (/[\s\\\p{Cc}\p{Cs}]/u.test(text)) return unsafe('must not contain spaces, backslashes or control characters.');
  if (!URL.canParse(text)) return unsafe('must be a URL, such as https://example.com/hooks.');
  const url = new URL(text);
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return unsafe('must not contain a username or password.');
  if (allowLocal && isLocal(text) && /^https?:\/\/[^/]/i.test(text)) return { safe: true };
  if (!/^https:\/\/[^/]/i.test(text)) return unsafe('must begin with https://.');
  if (url.port !== '') return unsafe('must use port 443.');
  return hostVerdict(url.hostname, ownDomain);
}

export const isHostName = (host: string) => HOST_NAME.test(host);

// The URL parser has already turned every spelling of an IPv4 address (decimal, hex, octal, short) into four numbers.
function hostVerdict(hostname: string, ownDomain: string | undefined): UrlVerdict {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return unsafe('must have a host name, not an IP address.');
  if (!host.includes('.') || !isHostName(host) || PRIVATE_SUFFIX.test(host))
    return unsafe('must have a host name that is public, such as hooks.acme.com.');
  if (ownDomain !== undefined && isWithin(ownDomain, host)) return unsafe('must not point back to Tandem.');
  return { safe: true };
}

export const isWithin = (domain: string, host: string) => host === domain || host.endsWith(`.${domain}`);

/**
 * Judges the text and every address of the host in public DNS. Saving a URL asks DNS afresh, and an attempt may use an
 * answer of the last minute. `dns_failed`: no such host. `dns_unavailable`: DNS did not answer.
 */
export async function checkUrl(
  { dns, config: { baseUrl, ownDomain } }: Pick<Ctx, 'dns' | 'config'>,
  url: string,
  { at }: { at: 'save' | 'attempt' },
): Promise<UrlCheck> {
  const verdict = isSafeUrl(url, { allowLocal: isLocal(baseUrl), ownDomain });
  if (!verdict.safe) return { ...verdict, error: 'unsafe_url' };
  if (isLocal(url)) return verdict;
  try {
    const host = new URL(url).hostname.replace(/\.$/, '');
    const { addresses, aliases } = await dns.lookup(host, { fresh: at === 'save' });
    const refused = aliases.map((alias) => hostVerdict(alias, ownDomain)).find(({ safe }) => !safe);
    if (refused !== undefined || !addresses.every(isPublicAddress))
      return { ...unsafe('must have a host whose IP addresses are all public.'), error: 'unsafe_url' };
    if (addresses.length > 0) return { safe: true };
    return { ...unsafe('must have a host that exists in public DNS.'), error: 'dns_failed' };
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    return { ...unsafe('has a host that DNS could not look up. Try again in a minute.'), error: 'dns_unavailable' };
  }
}
