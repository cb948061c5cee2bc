import ipaddr from 'ipaddr.js';

const { IPv4, IPv6 } = ipaddr;

// The ranges of IANA's IPv4 special-purpose registry (RFC 6890), and the address at which Azure answers its guest
// machines.
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

// Only 2000::/3 is public. That excludes loopback, mapped and compatible IPv4, NAT64, discard, SRv6, ULA, link-local
// and multicast. The list below has the special ranges inside 2000::/3: protocol assignments with Teredo,
// documentation, 6to4, the 6bone.
const PUBLIC_V6 = '2000::/3';
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'];

/** An IPv6 address that embeds an IPv4 address never counts as public. */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address === undefined) return false;
  if (address instanceof IPv4) return !NOT_PUBLIC_V4.some((range) => address.match(IPv4.parseCIDR(range)));
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
