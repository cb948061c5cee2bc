import type { Ctx } from '../context.ts';
import { isPublicAddress } from '../ip-address.ts';
import { DnsError } from '../ports.ts';

export type UrlVerdict = { safe: true } | { safe: false; reason: string };
export type WebhookUrlCheck =
  | { safe: true }
  | { safe: false; error: 'unsafe_url' | 'dns_failed' | 'dns_unavailable'; reason: string };

const unsafe = (reason: string) => ({ safe: false, reason }) as const;

const MAX_LENGTH = 2_048;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
// Names that end at home, in an office or nowhere. `.test` and `.example` are left to DNS, which knows none of them.
const PRIVATE_SUFFIX = /\.(localhost|local|internal|intranet|private|lan|home|corp|arpa|onion|alt|invalid)$/;
// Letters, digits, hyphens, and underscores, which DNS allows; the last label is never a number.
const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+$|0x)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether this address is a developer's own machine. */
export const isLocal = (url: string) => LOCAL_HOSTS.includes(new URL(url).hostname);

/**
 * Whether events may be posted to this URL, by its text alone; the reason completes "The webhook URL …".
 * Every IP literal is refused, not only the private ones: a Worker cannot fetch an address without a name.
 */
export function isSafeWebhookUrl(
  text: string,
  { allowLocal, ownDomain }: { allowLocal: boolean; ownDomain?: string | undefined },
): UrlVerdict {
  if (text.length > MAX_LENGTH) return unsafe(`must have at most ${MAX_LENGTH} characters.`);
  if (/[\s\\\p{Cc}\p{Cs}]/u.test(text)) return unsafe('must not contain spaces, backslashes or control characters.');
  if (!URL.canParse(text)) return unsafe('is not a URL.');
  const url = new URL(text);
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return unsafe('must not carry credentials.');
  if (allowLocal && isLocal(text) && /^https?:\/\/[^/]/i.test(text)) return { safe: true };
  if (!/^https:\/\/[^/]/i.test(text)) return unsafe('must begin with https://.');
  if (url.port !== '') return unsafe('must use port 443.');
  return hostVerdict(url.hostname, ownDomain);
}

// The URL parser has turned every spelling of an IPv4 address (decimal, hex, octal, short) into four numbers.
function hostVerdict(hostname: string, ownDomain: string | undefined): UrlVerdict {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return unsafe('must name a host, not an IP address.');
  if (!host.includes('.') || !HOST_NAME.test(host) || PRIVATE_SUFFIX.test(host))
    return unsafe('must name a public host.');
  if (ownDomain !== undefined && isWithin(ownDomain, host)) return unsafe('must not lead back to Tandem.');
  return { safe: true };
}

/** Whether a host is this domain or a name below it. */
export const isWithin = (domain: string, host: string) => host === domain || host.endsWith(`.${domain}`);

/**
 * Whether events may be posted to this URL, now: by its text, and by every address its host has in public DNS. A check
 * at save asks DNS afresh; one at an attempt may use an answer of the last minute. `dns_failed`: there is no such host;
 * `dns_unavailable`: nobody could tell.
 */
export async function checkWebhookUrl(
  { dns, config: { baseUrl, ownDomain } }: Pick<Ctx, 'dns' | 'config'>,
  url: string,
  { at }: { at: 'save' | 'attempt' },
): Promise<WebhookUrlCheck> {
  const verdict = isSafeWebhookUrl(url, { allowLocal: isLocal(baseUrl), ownDomain });
  if (!verdict.safe) return { ...verdict, error: 'unsafe_url' };
  if (isLocal(url)) return verdict;
  try {
    const host = new URL(url).hostname.replace(/\.$/, '');
    const { addresses, aliases } = await dns.lookup(host, { fresh: at === 'save' });
    const refused = aliases.map((alias) => hostVerdict(alias, ownDomain)).find(({ safe }) => !safe);
    if (refused !== undefined || !addresses.every(isPublicAddress))
      return { ...unsafe('must lead to a public address.'), error: 'unsafe_url' };
    if (addresses.length > 0) return { safe: true };
    return { ...unsafe('names a host that public DNS does not know.'), error: 'dns_failed' };
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    return { ...unsafe('names a host that could not be looked up; try again.'), error: 'dns_unavailable' };
  }
}
