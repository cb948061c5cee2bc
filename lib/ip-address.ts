// IANA's IPv4 special-purpose registry (RFC 6890), and the address at which Azure answers its guests.
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
].map(readRange);

// Only 2000::/3 is public. That leaves out loopback, mapped and compatible IPv4, NAT64, discard, SRv6, ULA, link-local
// and multicast; what is special inside it follows: protocol assignments with Teredo, documentation, 6to4, the 6bone.
const PUBLIC_V6 = readRange('2000::/3');
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'].map(readRange);

interface Address {
  width: 32 | 128;
  value: bigint;
}

/** Whether a text is an IP address anybody on the internet may reach; IPv6 that embeds IPv4 never is. */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address === undefined) return false;
  if (address.width === 32) return !NOT_PUBLIC_V4.some((range) => range.has(address));
  return PUBLIC_V6.has(address) && !NOT_PUBLIC_V6.some((range) => range.has(address));
}

const MAPPED_V4 = readRange('::ffff:0:0/96');

/** Who counts as one caller: an IPv4 address, or the /64 of an IPv6 one, all of which is a single customer's. */
export function networkOf(text: string): string {
  const address = readAddress(text);
  if (address === undefined) return 'unknown';
  const group = (at: number, width: bigint, radix: number) =>
    ((address.value >> (BigInt(at) * width)) & ((1n << width) - 1n)).toString(radix);
  if (address.width === 32 || MAPPED_V4.has(address)) return [3, 2, 1, 0].map((at) => group(at, 8n, 10)).join('.');
  return `${[7, 6, 5, 4].map((at) => group(at, 16n, 16)).join(':')}::/64`;
}

function readRange(text: string) {
  const [base = '', length = ''] = text.split('/');
  const { width, value } = readAddress(base) ?? { width: 32, value: 0n };
  const shift = BigInt(width - Number(length));
  return { has: (address: Address) => address.width === width && address.value >> shift === value >> shift };
}

function readAddress(text: string): Address | undefined {
  const value = text.includes(':') ? readV6(text) : readV4(text);
  return value === undefined ? undefined : { width: text.includes(':') ? 128 : 32, value };
}

function readV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function readV6(text: string): bigint | undefined {
  const halves = text.split('::').map(readGroups);
  const [head, tail] = halves;
  if (head === undefined || halves.length > 2 || halves.includes(undefined)) return undefined;
  if (halves.length === 1) return head.length === 8 ? join(head) : undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  return missing < 1 ? undefined : join([...head, ...Array<bigint>(missing).fill(0n), ...(tail ?? [])]);
}

function readGroups(text: string): bigint[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const dotted = parts.at(-1)?.includes('.') ? readV4(parts.pop() ?? '') : 0n;
  if (dotted === undefined || !parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined;
  const groups = parts.map((part) => BigInt(`0x${part}`));
  return text.includes('.') ? [...groups, dotted >> 16n, dotted & 0xffffn] : groups;
}

function join(groups: bigint[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}
