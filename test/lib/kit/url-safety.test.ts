import { describe, expect, test } from 'vitest';
import { DnsError } from '../../../lib/kit/ports.ts';
import { blockOf, checkUrl, isPublicAddress, isSafeUrl, networkOf } from '../../../lib/kit/url-safety.ts';
import { URLS } from '../webhooks/url-table.ts';

const BASE_URL = 'https://api.tandem.com';
const OWN_DOMAIN = 'tandem.com';
const verdictOf = (url: string, options: Parameters<typeof isSafeUrl>[1]) => {
  const verdict = isSafeUrl(url, options);
  return verdict.safe ? 'ok' : verdict.reason;
};

describe('by its text, the webhook URL', () => {
  test.each(URLS)('%j: %s', (url, expected) => {
    expect(verdictOf(url, { allowLocal: false, ownDomain: OWN_DOMAIN })).toBe(expected);
  });

  test.each([
    ['http://localhost:3000/hook', 'ok'],
    ['https://localhost/hook', 'ok'],
    ['http://127.0.0.1:3000/hook', 'ok'],
    ['http://[::1]:3000/hook', 'ok'],
    ['https://inbox.platform.test/hook', 'ok'],
    ['http://user@localhost:3000/hook', 'must not contain a username or password.'],
    ['ftp://localhost/hook', 'must begin with https://.'],
    ['http://inbox.platform.test/hook', 'must begin with https://.'],
    ['https://10.0.0.1/hook', 'must have a host name, not an IP address.'],
    ['http://printer.local/hook', 'must begin with https://.'],
  ])('on a developer’s own machine, %s: %s', (url, expected) => {
    expect(verdictOf(url, { allowLocal: true })).toBe(expected);
  });

  test.each([
    ['https://tandem.co.uk/', 'must not point back to Tandem.'],
    ['https://hooks.eu.tandem.co.uk/', 'must not point back to Tandem.'],
    ['https://other.co.uk/', 'ok'],
  ])('for a Tandem under a suffix of two labels, %s: %s', (url, expected) => {
    expect(verdictOf(url, { allowLocal: false, ownDomain: 'tandem.co.uk' })).toBe(expected);
  });
});

describe('by DNS', () => {
  const asked: unknown[] = [];
  const check = (found: { addresses?: string[]; aliases?: string[] } | Error, url = 'https://acme.com./hook') =>
    checkUrl(
      {
        dns: {
          async lookup(host, options) {
            asked.push([host, options]);
            if (found instanceof Error) throw found;
            return { addresses: [], aliases: [], ...found };
          },
        },
        config: url.startsWith('http:')
          ? { baseUrl: 'http://localhost:8787', sessionSecret: '' }
          : { baseUrl: BASE_URL, ownDomain: OWN_DOMAIN, sessionSecret: '' },
      },
      url,
      { at: 'save' },
    );
  const notPublic = { safe: false, error: 'unsafe_url', reason: 'must have a host whose IP addresses are all public.' };

  test('a host with public addresses alone is safe, asked for afresh at save, without its trailing dot', async () => {
    asked.length = 0;
    expect(await check({ addresses: ['93.184.215.14', '2606:4700::1'] })).toEqual({ safe: true });
    expect(asked).toEqual([['acme.com', { fresh: true }]]);
  });

  test.each([
    ['a private address', { addresses: ['10.0.0.1'] }],
    ['a private address beside a public one', { addresses: ['93.184.215.14', '::1'] }],
    ['an alias of a private name', { addresses: ['93.184.215.14'], aliases: ['db.internal'] }],
    ['an alias of Tandem itself', { addresses: ['93.184.215.14'], aliases: ['lb.acme.com', 'api.tandem.com.'] }],
  ])('%s is unsafe', async (_name, found) => {
    expect(await check(found)).toEqual(notPublic);
  });

  test('a name without an address is told from a resolver that cannot tell', async () => {
    expect(await check({})).toEqual({
      safe: false,
      error: 'dns_failed',
      reason: 'must have a host that exists in public DNS.',
    });
    expect(await check(new DnsError('down'))).toEqual({
      safe: false,
      error: 'dns_unavailable',
      reason: 'has a host that DNS could not look up. Try again in a minute.',
    });
    await expect(check(new TypeError('a bug'))).rejects.toThrow('a bug');
  });

  test('what its text forbids, and localhost in local mode, is not looked up', async () => {
    asked.length = 0;
    expect(await check({}, 'https://10.0.0.1/')).toMatchObject({ safe: false, error: 'unsafe_url' });
    expect(await check({}, 'http://localhost:3000/')).toEqual({ safe: true });
    expect(asked).toEqual([]);
  });
});

const numberOf = (address: string) => address.split('.').reduce((all, part) => all * 256 + Number(part), 0);
const addressOf = (number: number) => [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');

test.each([
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['RFC 1918', '10.0.0.0', '10.255.255.255'],
  ['RFC 1918', '172.16.0.0', '172.31.255.255'],
  ['RFC 1918', '192.168.0.0', '192.168.255.255'],
  ['carrier NAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['Azure’s host', '168.63.129.16', '168.63.129.16'],
  ['link-local, with metadata', '169.254.0.0', '169.254.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['TEST-NET-1', '192.0.2.0', '192.0.2.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['TEST-NET-2', '198.51.100.0', '198.51.100.255'],
  ['TEST-NET-3', '203.0.113.0', '203.0.113.255'],
  ['multicast and what is reserved', '224.0.0.0', '255.255.255.255'],
])('%s is not public from %s to %s, and what lies before and after it is', (_name, first, last) => {
  const around = [numberOf(first) - 1, numberOf(last) + 1].filter((number) => number >= 0 && number < 2 ** 32);
  expect([first, last].map(isPublicAddress)).toEqual([false, false]);
  expect(around.map(addressOf).filter((address) => !isPublicAddress(address))).toEqual([]);
});

test.each(['2606:4700:4700::1111', '2001:200::1', '2001:4860:4860:0:0:0:0:8888', '2001:DB7:FFFF::1', '3ff0::'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ['loopback', '::1'],
  ['mapped', '::ffff:10.0.0.1'],
  ['mapped, public', '::ffff:1.1.1.1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::10.0.0.1'],
  ['Teredo', '2001:0:a00:1::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '2001:DB8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4 of 10.0.0.1', '2002:a00:1::1'],
  ['the 6bone', '3ffe::1'],
  ['documentation', '3fff:fff::1'],
  ['not yet given out', '4000::1'],
  ['AWS’s metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
])('%s (%s) is not', (_name, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '',
  'acme.com',
  '1.1.1',
  '1.1.1.256',
  '01.1.1.1',
  '0x1.1.1.1',
  '1.1.1.1 ',
  '-1.1.1.1',
  '2606::1%eth0',
  '[2606::1]',
  '2606::1.1.1',
  '1.1.1.1:2606::',
])('%j is no address, so not a public one', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['', 'unknown'],
  ['nobody', 'unknown'],
])('%j counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['10.0.0.1', '10.0.0.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['', null],
  ['nonsense', null],
])('the audit log keeps of %s the block %s', (address, block) => {
  expect(blockOf(address)).toBe(block);
});
