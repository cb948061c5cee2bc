export type UrlVerdict = { safe: true } | { safe: false; reason: string };

const unsafe = (reason: string): UrlVerdict => ({ safe: false, reason });

const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa'];
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Whether this address is a developer's own machine. */
export const isLocal = (url: string) => LOCAL_HOSTS.includes(new URL(url).hostname);

/** Whether events may be posted there; the reason completes "The webhook URL …". */
export function isSafeWebhookUrl(text: string, { allowLocal }: { allowLocal: boolean }): UrlVerdict {
  if (!URL.canParse(text)) return unsafe('is not a URL.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return unsafe('must not carry credentials.');
  if (allowLocal && isLocal(text) && ['http:', 'https:'].includes(url.protocol)) return { safe: true };
  if (url.protocol !== 'https:') return unsafe('must begin with https://.');
  if (url.port !== '') return unsafe('must use port 443.');
  return hostVerdict(url.hostname.replace(/\.$/, ''));
}

// The URL parser has turned every spelling of an IPv4 address (decimal, hex, octal, short) into four numbers.
function hostVerdict(host: string): UrlVerdict {
  if (host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return unsafe('must name a host, not an IP address.');
  if (!host.includes('.')) return unsafe('must name a public host.');
  if (PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix))) return unsafe('must name a public host.');
  return { safe: true };
}
