import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import { describe, expect, test } from 'vitest';
import { deliveryHeaders } from '../../../lib/webhooks/delivery-headers.ts';
import { verifyWebhook, type WebhookToVerify } from '../../../lib/webhooks/verify.ts';
import { bundleWorker } from '../../local/bundle.ts';
import { URLS } from './url-table.ts';
import vector from './vector.json' with { type: 'json' };

const AT = Number(vector.timestamp) * 1_000;
const HEADERS = { 'x-service-timestamp': vector.timestamp, 'x-service-signature': vector.signature };
const IN_TITLE_CASE = { 'X-Service-Timestamp': vector.timestamp, 'X-Service-Signature': vector.signature };
const EVENT = {
  id: 'wh_vector',
  event_type: 'meeting.cancelled',
  timestamp: '2026-11-23T14:00:00.000Z',
  platform_id: 'plat_vector',
  api_version: 'v1',
  data: { meeting_id: 'meet_vector', reason: 'Café fermé ☕' },
};

/** Signature under a secret that the receiver does not know. */
const OTHER = 'ab'.repeat(32);
const rotated = (previous: string) => ({
  ...HEADERS,
  'x-service-signature': OTHER,
  'x-service-signature-previous': previous,
});

const verify = (changes: Partial<WebhookToVerify> = {}) =>
  verifyWebhook({ secret: vector.secret, headers: HEADERS, body: vector.body, now: AT, ...changes });

test('the published vector is what Tandem signs', async () => {
  const delivery = { id: 'wh_del_1', eventId: 'wh_vector', eventType: 'meeting.cancelled', body: vector.body };
  expect(await deliveryHeaders(delivery, { current: vector.secret, previous: [] }, AT + 999)).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Tandem-Webhooks/1.0',
    'X-Service-Signature': vector.signature,
    'X-Service-Timestamp': vector.timestamp,
    'X-Service-Event': 'meeting.cancelled',
    'X-Service-Delivery': 'wh_del_1',
    'Webhook-Id': 'wh_vector',
    'Webhook-Timestamp': vector.timestamp,
    'Webhook-Signature': vector.standard_signature,
  });
});

describe('accepted, with the event, is', () => {
  test.each<[string, Partial<WebhookToVerify>]>([
    ['the published vector', {}],
    ['its body as bytes', { body: new TextEncoder().encode(vector.body) }],
    ['its body as a buffer', { body: new TextEncoder().encode(vector.body).buffer }],
    ['its body in a part of a buffer', { body: Buffer.from(`--${vector.body}`).subarray(2) }],
    ['a Headers', { headers: new Headers(HEADERS) }],
    ['header names in any case', { headers: IN_TITLE_CASE }],
    ['either secret of a rotation', { secrets: [`${vector.secret}new`, vector.secret] }],
    ['the former secret, beside the new one’s signature', { headers: rotated(vector.signature) }],
    ['an older one of several', { headers: rotated(`${OTHER},${OTHER},${vector.signature}`) }],
    [
      'the last of five, with blanks',
      { headers: rotated(`${OTHER}, ${OTHER}, ${OTHER}, ${OTHER}, ${vector.signature}`) },
    ],
    [
      'the one in force, whatever stands beside it',
      { headers: { ...HEADERS, 'x-service-signature-previous': 'rubbish' } },
    ],
    ['a timestamp of 300 s ago', { now: AT + 300_000 }],
    ['a timestamp 300 s ahead', { now: AT - 300_000 }],
    ['an older one under a wider tolerance', { now: AT + 3_600_000, toleranceSeconds: 3_600 }],
  ])('%s', async (_name, changes) => {
    expect(await verify(changes)).toEqual({ ok: true, event: EVENT });
  });
});

describe('refused is', () => {
  const headers = (changes: Record<string, string | string[] | undefined>) => ({ headers: { ...HEADERS, ...changes } });
  test.each<[string, Partial<WebhookToVerify>, string]>([
    ['another body', { body: vector.body.replace('vector', 'Vector') }, 'signature_mismatch'],
    ['a body written anew', { body: JSON.stringify(JSON.parse(vector.body), null, 1) }, 'signature_mismatch'],
    ['an empty body', { body: '' }, 'signature_mismatch'],
    ['another secret', { secret: `${vector.secret}x` }, 'signature_mismatch'],
    ['a secret without its prefix', { secret: vector.secret.replace('whsec_', '') }, 'signature_mismatch'],
    ['another timestamp', headers({ 'x-service-timestamp': String(AT / 1_000 + 1) }), 'signature_mismatch'],
    [
      'another signature',
      headers({ 'x-service-signature': vector.signature.replace(/^./, (digit) => (digit === '9' ? '8' : '9')) }),
      'signature_mismatch',
    ],
    ['no signature', headers({ 'x-service-signature': undefined }), 'malformed'],
    ['half a signature', headers({ 'x-service-signature': vector.signature.slice(32) }), 'malformed'],
    ['a signature in capitals', headers({ 'x-service-signature': vector.signature.toUpperCase() }), 'malformed'],
    ['two signatures', headers({ 'x-service-signature': [vector.signature, vector.signature] }), 'malformed'],
    [
      'one in another header',
      headers({ 'x-service-signature': undefined, 'x-service-signature-previous': vector.signature }),
      'malformed',
    ],
    ['former secrets that are all others', { headers: rotated(`${OTHER},${OTHER}`) }, 'signature_mismatch'],
    [
      'a sixth former secret',
      { headers: rotated(`${`${OTHER},`.repeat(5)}${vector.signature}`) },
      'signature_mismatch',
    ],
    ['a former secret’s in capitals', { headers: rotated(vector.signature.toUpperCase()) }, 'signature_mismatch'],
    ['a former secret’s over another body', { headers: rotated(vector.signature), body: '{}' }, 'signature_mismatch'],
    ['no timestamp', headers({ 'x-service-timestamp': undefined }), 'malformed'],
    ['a timestamp in words', headers({ 'x-service-timestamp': 'now' }), 'malformed'],
    ['a negative timestamp', headers({ 'x-service-timestamp': '-1' }), 'malformed'],
    ['a timestamp of 301 s ago', { now: AT + 301_000 }, 'timestamp_out_of_tolerance'],
    ['a timestamp 301 s ahead', { now: AT - 301_000 }, 'timestamp_out_of_tolerance'],
    ['any under a tolerance that is no number', { toleranceSeconds: Number.NaN }, 'timestamp_out_of_tolerance'],
  ])('%s', async (_name, changes, reason) => {
    expect(await verify(changes)).toEqual({ ok: false, reason });
  });

  test.each(['not JSON', 'null', '[]', '"text"', '{"id":"wh_1"}'])(
    'a signed body that is no event: %s',
    async (body) => {
      const delivery = { id: 'wh_del_1', eventId: 'wh_1', eventType: 'x', body };
      const signed = await deliveryHeaders(delivery, { current: vector.secret, previous: [] }, AT);
      expect(await verify({ headers: signed, body })).toEqual({ ok: false, reason: 'malformed' });
    },
  );
});

test('the time is now and the tolerance five minutes unless said otherwise', async () => {
  const delivery = { id: '', eventId: '', eventType: '', body: vector.body };
  const signed = (now: number) => deliveryHeaders(delivery, { current: vector.secret, previous: [] }, now);
  const verifyNow = (headers: Record<string, string>) =>
    verifyWebhook({ secret: vector.secret, headers, body: vector.body });
  expect(await verifyNow(await signed(Date.now()))).toEqual({ ok: true, event: EVENT });
  expect(await verifyNow(await signed(Date.now() - 400_000))).toEqual({
    ok: false,
    reason: 'timestamp_out_of_tolerance',
  });
});

test.each<[string, Partial<WebhookToVerify>]>([
  ['no secret', { secret: undefined }],
  ['an empty one', { secret: '' }],
  ['an empty list', { secrets: [] }],
  ['an empty one in the list', { secrets: [vector.secret, ''] }],
  ['a list with nothing in it', { secrets: [null, undefined] as never }],
  ...[null, false, 0, 'null', 'undefined', 'whsec_', 'whsec_undefined'].map(
    (secret): [string, Partial<WebhookToVerify>] => [`${secret}, which everybody knows`, { secret: secret as never }],
  ),
])('%s is the receiver’s mistake, and thrown', async (_name, changes) => {
  await expect(verify(changes)).rejects.toThrow('verifyWebhook needs the webhook secret. Pass it as `secret`.');
});

test('no former secret is no key to sign with', async () => {
  const body = new TextEncoder().encode(`${vector.timestamp}:${vector.body}`);
  const forged = createHmac('sha256', 'null').update(body).digest('hex');
  const secrets = [vector.secret, null, undefined];
  expect(await verify({ secrets })).toMatchObject({ ok: true });
  const headers = { ...HEADERS, 'x-service-signature': forged };
  expect(await verify({ secrets, headers })).toMatchObject({ ok: false });
});

test.each([`${vector.secret}\n`, ` ${vector.secret}`, `"${vector.secret}"`, `v1,${vector.secret}`])(
  'the secret %j has a character too many, which is told instead of a wrong signature',
  async (secret) => {
    const told = '`secret` has a character that is in no webhook secret, such as a blank, a quote or a line break.';
    await expect(verify({ secret })).rejects.toThrow(told);
    await expect(verify({ secrets: [vector.secret, secret] })).rejects.toThrow(told);
    await expect(verify({ secret })).rejects.not.toThrow(vector.secret);
  },
);

test.each([[{ event_type: 'webhook.test' }], [undefined], [[1, 2]]])(
  'the parsed body %j is a TypeError',
  async (body) => {
    await expect(verify({ body: body as never })).rejects.toThrow(
      new TypeError(
        'verifyWebhook needs the raw body of the request, as text or bytes. A parsed body no longer matches its signature: with Express, use express.raw({ type: "application/json" }) for this route.',
      ),
    );
  },
);

test('workerd judges every URL of the table as Node does, and verifies the vector', async () => {
  const script = await bundleWorker(fileURLToPath(new URL('fixtures/judge.ts', import.meta.url)));
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate: '2026-07-01' });
  try {
    const response = await miniflare.dispatchFetch('http://judge.test', {
      method: 'POST',
      body: JSON.stringify({
        urls: URLS.map(([url]) => url),
        ownDomain: 'tandem.com',
        webhook: { ...vector, headers: HEADERS, now: AT },
      }),
    });
    expect(await response.json()).toEqual({
      verdicts: URLS.map(([, verdict]) => (verdict === 'ok' ? { safe: true } : { safe: false, reason: verdict })),
      verified: { ok: true, event: EVENT },
    });
  } finally {
    await miniflare.dispose();
  }
});
