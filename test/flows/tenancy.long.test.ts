import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { wholeError } from '../support/checks/errors.ts';
import { faultsOf } from '../support/fuzz/judge.ts';
import { fittingFor } from '../support/fuzz/requests.ts';
import { sendWire } from '../support/fuzz/send.ts';
import { freshStock, type Stock } from '../support/fuzz/stock.ts';
import { targets } from '../support/fuzz/targets.ts';
import { freshPlatform } from '../support/people/factories.ts';
import { createClient } from '../support/worlds/client.ts';
import { world } from '../support/worlds/world.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
const TRIES = 6;

const own = await freshStock({ meetings: 10, users: 2 });
const stranger = await freshStock({ meetings: 0, users: 2 });
const ended = await freshPlatform();
await world.neon.query('update api_keys set revoked_at = now() where platform_id = $1', [ended.id]);
/** The stranger's keys, combined with the ids, addresses and changes of the other platform. */
const foreign: Stock = {
  ...own,
  platform: stranger.platform,
  users: own.users.map(({ email }, i) => ({ email, key: stranger.users[i]?.key ?? '' })),
};

// The owner's reads with user keys count toward the rate limit. Each test starts in a new minute, so they count for one
// test only.
beforeEach(() => world.advance(61_000));

/**
 * Errors a platform gets for things that belong to another platform. All other operations concern only the caller's
 * own.
 */
const REFUSED: Record<string, [status: number, code: string]> = {
  findAvailability: [404, 'user_not_found'],
  explainAvailability: [404, 'user_not_found'],
  scheduleMeeting: [404, 'user_not_found'],
  scheduleAutomatically: [404, 'user_not_found'],
  getJob: [404, 'job_not_found'],
  cancelJob: [404, 'job_not_found'],
  getBatch: [404, 'batch_not_found'],
  commitBatch: [404, 'batch_not_found'],
  cancelBatch: [404, 'batch_not_found'],
  proposeTimes: [404, 'user_not_found'],
  getProposal: [404, 'proposal_not_found'],
  acceptProposal: [404, 'proposal_not_found'],
  declineProposal: [404, 'proposal_not_found'],
  withdrawProposal: [404, 'proposal_not_found'],
  getMeeting: [403, 'Forbidden'],
  updateMeeting: [403, 'Forbidden'],
  cancelMeeting: [403, 'Forbidden'],
  rescheduleMeeting: [403, 'Forbidden'],
  listUserMeetings: [404, 'User not found'],
  getUserAvailability: [404, 'User not found'],
  eraseGuest: [404, 'User not found'],
  disconnectCalendar: [404, 'Connection not found'],
  getDelivery: [404, 'Delivery not found'],
  replayDelivery: [404, 'Delivery not found'],
  undoLearning: [404, 'Not found'],
};

/** Returns everything the owner can read of their own data. */
async function seenByOwner(): Promise<string[]> {
  const { api } = own.platform;
  const paths = [
    `/v1/users/${encodeURIComponent(own.attendees[0] ?? '')}/meetings`,
    '/v1/meetings',
    ...own.jobs.map((id) => `/v1/jobs/${id}`),
    ...own.batches.map((id) => `/v1/batches/${id}`),
    ...own.proposals.map((id) => `/v1/proposals/${id}`),
    ...['/v1/calendars', '/v1/platform/webhook', '/v1/platform/webhook/logs'],
    ...['dashboard', 'users', 'settings'].map((name) => `/v1/platform/${name}`),
  ];
  const answers = await Promise.all(paths.map((path) => api.send('GET', path)));
  const ofUsers = await Promise.all(
    own.users.flatMap(({ key }) =>
      ['/v1/user/info', '/v1/user/learning'].map((path) => createClient(world.baseUrl, key).send('GET', path)),
    ),
  );
  expect([...answers, ...ofUsers].filter(({ status }) => status !== 200)).toEqual([]);
  return [...answers, ...ofUsers].map(({ text }) => text);
}

/** Strings that would show that an answer is about the owner's data. */
const secrets = [
  ...own.meetings,
  ...own.jobs,
  ...own.batches,
  ...own.proposals,
  ...own.times,
  ...own.deliveries,
  ...own.learned,
  own.platform.id,
  own.platform.webhookUrl,
];

describe.each(targets())('$name', (target) => {
  const { operationId } = target.operation;

  test("shows and changes nothing of another platform's or person's", async () => {
    const before = await seenByOwner();
    for (const request of fc.sample(fittingFor(target, foreign), { numRuns: TRIES, seed: SEED })) {
      const answer = await sendWire(request);
      const { status, text, body } = answer;
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      expect([...faultsOf(target, request, answer)]).toEqual([]);
      const refusal = REFUSED[operationId];
      if (refusal === undefined) continue;
      const { error } = body as { error?: string | { code: string } };
      expect([status, typeof error === 'object' ? error.code : error]).toEqual(refusal);
    }
    expect(await seenByOwner()).toEqual(before);
  });

  if (target.key === 'none') return;

  test('wants a key of its kind, in either header', async () => {
    const before = await seenByOwner();
    const [request] = fc.sample(fittingFor(target, own), { numRuns: 1, seed: SEED });
    if (request === undefined) throw new Error('there is no request');
    const { Authorization: _, ...headers } = request.headers;
    const { secret_key, publishable_key } = own.platform;
    const wrongKind = target.key === 'user' ? secret_key : (own.users[0]?.key ?? '');
    const cases: [status: number, title: string, key: Record<string, string>][] = [
      [401, 'Unauthorized', {}],
      ...[`sk_live_${'x'.repeat(43)}`, `sk_user_${'x'.repeat(43)}`, secret_key.slice(0, -1), ended.secret_key].flatMap(
        (key) => inBothHeaders(401, 'Unauthorized', key),
      ),
      ...[publishable_key, wrongKind].flatMap((key) => inBothHeaders(403, 'Forbidden', key)),
    ];
    for (const [status, title, key] of cases) {
      const answer = await sendWire({ ...request, headers: { ...headers, ...key } });
      const message = expect.any(String);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status,
        body: wholeError({ error: title, message }),
      });
    }
    expect(await seenByOwner()).toEqual(before);
  });
});

const inBothHeaders = (status: number, title: string, key: string): [number, string, Record<string, string>][] => [
  [status, title, { Authorization: `Bearer ${key}` }],
  [status, title, { 'X-API-Key': key }],
];

test('a person connected with both platforms shows each its own meetings only', async () => {
  const [email = ''] = own.attendees;
  const other = await freshPlatform({ plan: 'enterprise' });
  await world.connectCalendar(other, email);
  const { status, body } = await other.api.send('GET', `/v1/users/${encodeURIComponent(email)}/meetings`);
  expect({ status, body }).toEqual({
    status: 200,
    body: { email, meetings: [], total: 0, pagination: { next_cursor: null, has_more: false } },
  });
});
