import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { sha256 } from '../../../lib/kit/ids.ts';
import { FOREIGN, formIn, HOSTILE, send } from '../../support/checks/forms.ts';
import { visit as visitAs } from '../../support/people/dashboard.ts';
import { booked, iso, rowOf, toNextMinute } from '../../support/people/meetings.ts';
import { acceptedProposal, answer, choosing, told, visit } from '../../support/people/proposal-pages.ts';
import { decline, expectEnd, made, propose, proposing, readProposal } from '../../support/people/proposing.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const tokenOf = (url: string) => url.split('/p/')[1] ?? '';
const pageOf = (token: string) => `${world.baseUrl}/p/${token}`;
const random = () => randomBytes(32).toString('base64url');

const VARYING = ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'content-length'];
const headersOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries([...headers].filter(([name]) => !VARYING.includes(name)));

describe('the token', () => {
  test('has 256 bits, and every answer repeats it', async () => {
    const { proposal, platform, id } = await made();
    expect(Buffer.from(tokenOf(proposal.url), 'base64url')).toHaveLength(32);
    const listed = (await platform.api.send('GET', '/v1/proposals')).body as { proposals: { url: string }[] };
    const declined = (await decline(platform, id)).body as { url: string };
    expect([listed.proposals[0]?.url, declined.url, (await readProposal(platform, id)).url]).toEqual(
      Array(3).fill(proposal.url),
    );
  });

  test('is stored as a hash and encrypted, and nowhere as it is, not even under an idempotency key', async () => {
    const { platform, body } = await proposing();
    const headers = { 'idempotency-key': random() };
    const first = await propose(platform, body, headers);
    const replayed = await propose(platform, body, headers);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.text).toBe(first.text);
    const { url, proposal_id } = first.body as { url: string; proposal_id: string };
    const token = tokenOf(url);
    expect(token).toMatch(/^[\w-]{43}$/);
    // Postgres replays the answer where Redis has lost it.
    world.faults.add({ target: 'redis', mode: 'reset', match: 'GET' });
    expect((await propose(platform, body, headers)).text).toBe(first.text);
    world.faults.clear();
    const tables = await world.neon.query("select tablename as name from pg_tables where schemaname = 'public'");
    for (const { name } of tables) {
      const [row] = await world.neon.query(`select count(*)::int as count from "${name}" t where t::text like $1`, [
        `%${token}%`,
      ]);
      expect(row?.count, `rows of ${name} with the token`).toBe(0);
    }
    const [stored] = await world.neon.query('select token_hash, token from proposals where id = $1', [proposal_id]);
    expect(stored).toEqual({ token_hash: await sha256(token), token: expect.stringMatching(/^\w+\.[^.]+\.[^.]+$/) });
    expect(world.traffic.list().filter(({ path }) => path.includes(token))).toEqual([]);
  });

  test('is in no line of the log', async () => {
    const { url, start } = await acceptedProposal();
    await visit(url);
    await answer(url, { answer: 'cancel', start });
    await visit(`${url}/nothing`);
    await visit(url, { method: 'PUT' });
    world.faults.add({ target: 'neon', mode: 'reset' });
    expect((await visit(url)).status).toBe(500);
    expect(world.logs().filter((line) => line.includes(tokenOf(url)))).toEqual([]);
  });

  test('opens one proposal, and changes no other', async () => {
    const [one, other] = [await made(), await made()];
    const form = choosing(other.proposal);
    expect(told(await answer(one.proposal.url, form))).toMatchObject({ status: 400, title: 'Contract questions' });
    await expectEnd(one, 'open');
    await expectEnd(other, 'open');
  });

  test('goes with an erased person: `url` is null, and the link leads nowhere', async () => {
    const { platform, proposal, bob, id } = await made();
    const { api_key } = await world.connect(platform, bob.email);
    expect((await createClient(world.baseUrl, api_key).send('DELETE', '/v1/user')).status).toBe(200);
    expect((await readProposal(platform, id)).url).toBeNull();
    expect((await visit(proposal.url)).status).toBe(404);
    const [row] = await world.neon.query('select token_hash, token from proposals where id = $1', [id]);
    expect(row).toEqual({ token_hash: null, token: null });
  });

  test('that no key decrypts any more is null in answers, and its page still works', async () => {
    const { platform, proposal, id } = await made();
    await world.neon.query("update proposals set token = 'lost.' || token where id = $1", [id]);
    expect((await readProposal(platform, id)).url).toBeNull();
    expect((await visit(proposal.url)).status).toBe(200);
  });

  test('of metadata that looks like our placeholder stays the platform’s text', async () => {
    const { platform, body } = await proposing();
    const metadata = { url: 'sealed:k1.a.b', note: '"url":"sealed:' };
    const answered = (await propose(platform, { ...body, metadata })).body as { url: string; metadata: unknown };
    expect(answered).toMatchObject({ metadata, url: expect.stringMatching(/\/p\/[\w-]{43}$/) });
  });
});

describe('a link that leads to no proposal', () => {
  const shapes: [name: string, change: (token: string) => string][] = [
    ['a token that was never made', random],
    ['one character changed', (token) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['one character missing', (token) => token.slice(1)],
    ['other case', (token) => (token === token.toLowerCase() ? token.toUpperCase() : token.toLowerCase())],
    ['a broken encoding', () => '%E0%A4%A'],
    ['markup', () => encodeURIComponent('<script>alert(1)</script>')],
    ['NUL', () => '%00'],
    ['8,000 characters', () => 'x'.repeat(8_000)],
    ['a path below', (token) => `${token}/other`],
    ['a file below', () => `${random()}/meeting.ics`],
    ['the zones below', () => `${random()}/zone`],
    ['no token', () => ''],
  ];

  test.each(shapes)('%s gets the same page, which says nothing', async (_name, change) => {
    const { proposal } = await made();
    const known = await visit(proposal.url);
    const unknown = await visit(pageOf(random()));
    const changed = await visit(pageOf(change(tokenOf(proposal.url))));
    expect(changed.status).toBe(404);
    expect(changed.text).toBe(unknown.text);
    expect(headersOf(changed)).toEqual(headersOf(known));
    const posted = await answer(pageOf(change(tokenOf(proposal.url))), { answer: 'decline' });
    expect([404, 405]).toContain(posted.status);
  });

  test('has the calls of a known one, so that time tells nothing', async () => {
    const { proposal } = await made();
    const callsOf = async (url: string) => {
      const { headers } = await visit(url);
      return world.traffic
        .list()
        .filter(({ request_id }) => request_id === headers.get('x-request-id'))
        .map(({ target }) => target)
        .sort();
    };
    const expected = await callsOf(proposal.url);
    for (const token of [random(), 'x', '%00', 'x'.repeat(8_000)])
      expect(await callsOf(pageOf(token))).toEqual(expected);
  });
});

describe('a request that only looks', () => {
  test.each(['GET', 'HEAD'])('%s changes nothing, whatever it asks for', async (method) => {
    const scene = await made();
    const { url, times } = scene.proposal;
    const before = await readProposal(scene.platform, scene.id);
    const query = new URLSearchParams({ answer: 'accept', time: times[0]?.id ?? '', start: '0', reason: 'x' });
    for (const path of ['', `?${query}`, '/zone', '/meeting.ics', '?answer=decline', '/accept'])
      await visit(url + path, { method, headers: { purpose: 'prefetch', 'user-agent': 'Mail scanner' } });
    expect(await readProposal(scene.platform, scene.id)).toEqual(before);
    await expectEnd(scene, 'open');
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is refused, as on an unknown link', async (method) => {
    const scene = await made();
    const [known, unknown] = [await visit(scene.proposal.url, { method }), await visit(pageOf(random()), { method })];
    expect([known.status, known.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect([unknown.status, unknown.text]).toEqual([405, known.text]);
    expect(headersOf(unknown)).toEqual(headersOf(known));
    await expectEnd(scene, 'open');
  });

  test('is told to keep the page from caches, search engines, frames and other sites', async () => {
    const { proposal } = await made();
    for (const { headers } of [await visit(proposal.url), await visit(proposal.url, { method: 'HEAD' })]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'x-content-type-options': 'nosniff',
      });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(policy).not.toContain('unsafe');
    }
  });
});

describe('a form', () => {
  test.each(FOREIGN)('%s changes nothing', async (_name, { origin, site }) => {
    const scene = await made();
    const headers = { origin: origin ?? '', ...(site === undefined ? {} : { 'sec-fetch-site': site }) };
    const refused = await answer(scene.proposal.url, { answer: 'decline' }, headers);
    expect([refused.status, refused.headers.get('location')]).toEqual([403, null]);
    await expectEnd(scene, 'open');
  });

  test.each([
    ['an older browser, which sends Origin: null without a referrer', 'null', 303],
    ['a program, which sends no origin', undefined, 303],
    ['an older browser at another site', 'https://evil.test', 403],
  ])('of %s', async (_name, origin, status) => {
    const { proposal } = await made();
    const sent = await createClient(world.baseUrl).send(
      'POST',
      `/p/${tokenOf(proposal.url)}`,
      'answer=decline',
      origin === undefined ? {} : { headers: { origin } },
    );
    expect(sent.status).toBe(status);
  });

  test('that asks for nothing we know changes nothing', async () => {
    const scene = await made();
    for (const body of ['', 'answer=', 'answer=erase', 'answer=accept', 'answer=accept&time=', '%', 'answer=cancel']) {
      const sent = await createClient(world.baseUrl).send('POST', `/p/${tokenOf(scene.proposal.url)}`, body);
      expect([400, 404, 409], body).toContain(sent.status);
    }
    await expectEnd(scene, 'open');
  });

  test.each(HOSTILE)('with hostile text in each field does no harm (%#)', async (text) => {
    const scene = await made();
    const { url } = scene.proposal;
    for (const fields of [
      { answer: text },
      { answer: 'accept', time: text, zone: text },
      { answer: 'cancel', start: text, zone: text },
    ]) {
      const sent = await answer(url, fields);
      expect([400, 404, 409]).toContain(sent.status);
      expect(sent.text).not.toContain('<script>alert');
      expect(sent.text).not.toContain('<img');
    }
    await expectEnd(scene, 'open');
    const declined = await answer(url, { answer: 'decline', reason: text, zone: text });
    expect([303, 400]).toContain(declined.status);
    expect(declined.headers.get('location') ?? '').toMatch(/^(?:\/p\/[\w-]{43})?$/);
  });

  test('larger than 64 KiB is refused unread', async () => {
    const scene = await made();
    const refused = await answer(scene.proposal.url, { answer: 'decline', reason: 'x'.repeat(70_000) });
    expect(refused.status).toBe(413);
    await expectEnd(scene, 'open');
  });
});

test('hostile titles, places and names stay text on the page and in the calendar file', async () => {
  for (const text of [...HOSTILE.filter((one) => !one.includes('\0')), '\u200Fevil\u2066', 'a,b;c\\d'].map((one) =>
    one.slice(0, 200),
  )) {
    const name = text.slice(0, 100).trim();
    const { proposal, platform, id } = await made({ title: text, location: text, requester_name: name });
    const page = await visit(proposal.url);
    expect(page.text).not.toMatch(/<script>alert|<img/);
    await platform.api.send('POST', `/v1/proposals/${id}/accept`, { time_id: proposal.times[0]?.id });
    const file = (await visit(`${proposal.url}/meeting.ics`)).text.replaceAll('\r\n ', '');
    expect(file).toMatch(/\r\nORGANIZER;CN="[^"\r\n]*":mailto:\S+\r\n/);
    const fields = file.split('\r\n').map((line) => line.split(/[:;]/)[0]);
    expect(fields).toEqual([
      ...['BEGIN', 'VERSION', 'PRODID', 'METHOD', 'BEGIN', 'UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY'],
      ...['LOCATION', 'URL', 'DESCRIPTION', 'ORGANIZER', 'ATTENDEE', 'END', 'END', ''],
    ]);
    expect((await visit(proposal.url)).text).not.toMatch(/<script>alert|<img/);
  }
});

describe('requests are limited', () => {
  test('by address, whatever they try', async () => {
    await toNextMinute();
    const headers = { 'cf-connecting-ip': '198.18.77.7' };
    const tries = await Promise.all(Array.from({ length: 70 }, () => visit(pageOf(random()), { headers })));
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5);
  });

  test('by token, from however many addresses', async () => {
    const { proposal } = await made();
    await toNextMinute();
    const tries = await Promise.all(Array.from({ length: 70 }, () => visit(proposal.url)));
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    for (const { headers } of refused) {
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });
});

/** Makes a meeting look as if another request were changing it, until the returned function is called. */
async function changing(meetingId: string): Promise<() => Promise<unknown>> {
  const lease = (until: string | null) =>
    world.neon.query('update meetings set lease_until = $2 where id = $1', [meetingId, until]);
  await lease(iso(world.clock.now() + MINUTE));
  return () => lease(null);
}

test('a person’s page says that another change of the meeting is in progress, and cancels it afterwards', async () => {
  const { id, ada } = await booked();
  const { browser } = await world.signIn(ada.email);
  const form = formIn(browser, await visitAs(browser, '/me/meetings'), '/me/meetings/cancel');
  const end = await changing(id);
  const busy = await send(form);
  expect([busy.status, busy.html.includes('Another change to this meeting is still in progress.')]).toEqual([
    409,
    true,
  ]);
  expect(await rowOf(id)).toMatchObject({ status: 'scheduled' });
  await end();
  expect((await send(form)).status).toBe(303);
  expect(await rowOf(id)).toMatchObject({ status: 'cancelled' });
});

test('a proposal’s page says that another change of the meeting is in progress, and cancels it afterwards', async () => {
  const { url, start, meetingId } = await acceptedProposal();
  const end = await changing(meetingId);
  const busy = await answer(url, { answer: 'cancel', start });
  expect([busy.status, busy.text.includes('Somebody else is changing the meeting.')]).toEqual([409, true]);
  await end();
  expect((await answer(url, { answer: 'cancel', start })).status).toBe(303);
});
