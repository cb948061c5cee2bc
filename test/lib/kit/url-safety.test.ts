import { describe, expect, test } from 'vitest';
import { DnsError } from '../../../lib/kit/ports.ts';
import { checkUrl, isSafeUrl } from '../../../lib/kit/url-safety.ts';
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
    ['https://tandem.com/', 'must not point back to Tandem.'],
    ['https://hooks.eu.tandem.com/', 'must not point back to Tandem.'],
    ['https://nottandem.com/', 'ok'],
    ['https://tandem.com.acme.com/', 'ok'],
  ])('for a Tandem under tandem.com, %s: %s', (url, expected) => {
    expect(verdictOf(url, { allowLocal: false, ownDomain: OWN_DOMAIN })).toBe(expected);
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
