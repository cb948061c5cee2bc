import type { Ctx } from './context.ts';
import { isPublicAddress } from './ip-address.ts';
import { DnsError } from './ports.ts';

export type UrlVerdict = { safe: true } | { safe: false; reason: string };
export type UrlCheck =
  | { safe: true }
  | { safe: false; error: 'unsafe_url' | 'dns_failed' | 'dns_unavailable'; reason: string };

const unsafe = (reason: string) => ({ safe: false, reason }) as const;

const MAX_LENGTH = 2_048;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
// Names that resolve only within a home or an office, or do not resolve at all. `.test` and `.example` are left to DNS,
// which has no entries for them.
const PRIVATE_SUFFIX = /\.(localhost|local|internal|intranet|private|lan|home|corp|arpa|onion|alt|invalid)$/;
// Host names of letters, digits, hyphens and underscores, all of which DNS allows. The last label is never a number.
const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+$|0x)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns true for a URL whose host is the developer's own machine. */
export const isLocal = (url: string) => LOCAL_HOSTS.includes(new URL(url).hostname);

/**
 * Judges by text alone a URL that somebody else chose, such as a webhook's. The reason completes "The webhook URL …".
 * Every IP literal is refused, because a Worker cannot fetch an address without a name.
 */
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

/** Returns true for a name that DNS allows: letters, digits, hyphens and underscores, and a last label with a letter. */
export const isHostName = (host: string) => HOST_NAME.test(host);

// Checks a URL's host. The URL parser has already turned every spelling of an IPv4 address (decimal, hex, octal, short)
// into four numbers.
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
