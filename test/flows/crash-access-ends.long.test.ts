import { describe, expect, test } from 'vitest';
import { tick } from '../support/people/calendars.ts';
import { visit } from '../support/people/dashboard.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { booked, inHours, rowOf } from '../support/people/meetings.ts';
import { accept, expectEnd, openInvitation, proposed, proposing } from '../support/people/proposing.ts';
import { agentUrl, decide, exchange, letIn, pkce, publishAgent } from '../support/people/signing-in.ts';
import { createClient } from '../support/worlds/client.ts';
import { neon } from '../support/worlds/crash-points.ts';
import { dying } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

async function holding() {
  const { platform, ada, bob, body } = await proposing();
  const other = await freshPlatform({ plan: 'enterprise' });
  const { api_key } = await world.connect(other, ada.email);
  const proposal = await proposed(platform, body);
  return { platform, other, ada, bob, proposal, id: proposal.proposal_id, own: createClient(world.baseUrl, api_key) };
}
type Holding = Awaited<ReturnType<typeof holding>>;

const END = neon('with ended as', 'update "proposals" set status');

/**
 * Ways in which an access ends, each by one batch that also ends the proposals. Each is prepared before the fault is set,
 * because a sign-in can end accesses too.
 */
const ENDS: [string, (at: Holding) => Promise<() => Promise<unknown>>][] = [
  [
    'a platform disconnects a person',
    async ({ platform, ada }) =>
      () =>
        platform.api.disconnect(ada.email),
  ],
  [
    'a person disconnects a platform',
    async ({ platform, ada }) => {
      const { browser } = await world.signIn(ada.email);
      const page = await visit(browser, `/me/disconnect?platform_id=${platform.id}`);
      return () => browser.submit(page, '/me/disconnect');
    },
  ],
  [
    'a person deletes their account',
    async ({ own }) =>
      () =>
        own.send('DELETE', '/v1/user'),
  ],
];

/** Ways in which the provider ends an access, so that the request that noticed it can be sent again. */
const NOTICED: typeof ENDS = [
  [
    'another account gets the person’s address',
    async ({ ada }) => {
      world.google.passOn(ada.email);
      return () => world.signIn(ada.email);
    },
  ],
  [
    'a search meets a grant that the person revoked at Google',
    async ({ platform, ada, bob }) => {
      world.google.revoke(ada.email);
      const path = '/v1/availability?fresh=true';
      return () => platform.api.send('POST', path, { attendees: [ada.email, bob.email] });
    },
  ],
];

const stateOf = async (id: string) =>
  (
    await world.neon.query(
      `select status, (select count(*)::int from holds h where h.proposal_id = r.id) as holds,
        (select count(*)::int from connections c where c.platform_id = r.platform_id and c.disconnected_at is null) as connected
      from proposals r where id = $1`,
      [id],
    )
  )[0];

const kills = (ends: typeof ENDS) =>
  ends.flatMap(([how, end]) => (['kill', 'kill_after'] as const).map((mode) => [how, mode, end] as const));

test.each([...kills(ENDS), ...kills(NOTICED)])(
  '%s, and the Worker dies with the commit (%s): the access and the proposal both end or neither',
  async (how, mode, end) => {
    const at = await holding();
    const act = await end(at);
    await dying({ ...END, mode }, act);
    const isDone = mode === 'kill_after';
    expect(await stateOf(at.id)).toEqual({
      status: isDone ? 'withdrawn' : 'open',
      holds: isDone ? 0 : 6,
      connected: isDone ? 1 : 2,
    });
    const isRepeated = NOTICED.some(([noticed]) => noticed === how);
    if (!isDone && isRepeated) {
      // The request that died was the only one that might renew the person's access for some seconds.
      await world.advance(16_000);
      await act();
    }
    if (isDone || isRepeated) await expectEnd(at, 'withdrawn');
    else expect((await accept(at.platform, at.id, at.proposal.times[0]?.id)).status).toBe(200);
  },
);

/** Books a meeting, and returns a function that counts its holds and the people who are connected to the platform. */
async function meeting(pair: Holding) {
  const { id } = await booked({ start: inHours(24 * 14), pair });
  return async () => ({ holds: (await rowOf(id))?.holds.length, connected: (await stateOf(pair.id))?.connected });
}

const AGAIN: typeof ENDS = [
  [
    'a person consents again',
    async ({ platform, ada }) => {
      await platform.api.disconnect(ada.email);
      return () => world.connectCalendar(platform, ada.email);
    },
  ],
];

test.each(
  [...ENDS, ...AGAIN].flatMap(([how, act]) =>
    (['kill', 'kill_after'] as const).map((mode) => [how, mode, act] as const),
  ),
)(
  '%s, and the Worker dies with the commit (%s): the meeting takes time if and only if it is followed',
  async (how, mode, prepare) => {
    const at = await holding();
    const state = await meeting(at);
    const act = await prepare(at);
    const isAgain = how === AGAIN[0]?.[0];
    const step = isAgain
      ? neon('insert into "connections"', 'insert into "holds"')
      : neon('update "connections"', 'delete from "holds"');
    await dying({ ...step, mode }, act);
    const isFollowed = isAgain === (mode === 'kill_after');
    expect(await state()).toEqual(isFollowed ? { holds: 2, connected: 2 } : { holds: 0, connected: 1 });
  },
);

test.each(['kill', 'kill_after'] as const)(
  'a platform erases a guest, and the Worker dies with the commit (%s): the guest and their proposal both end or neither',
  async (mode) => {
    const at = await openInvitation();
    const erase = () => at.platform.api.send('DELETE', `/v1/users/${encodeURIComponent(at.guest)}`);
    await dying({ ...neon('update "users" set "email"'), mode }, erase);
    const isDone = mode === 'kill_after';
    const guests = await world.neon.query('select count(*)::int as n from users where guest_email = $1', [at.guest]);
    expect([await stateOf(at.id), guests]).toEqual([
      { status: isDone ? 'withdrawn' : 'open', holds: isDone ? 0 : 3, connected: 1 },
      [{ n: isDone ? 0 : 1 }],
    ]);
    expect((await erase()).status).toBe(isDone ? 404 : 200);
    await expectEnd(at, 'withdrawn');
  },
);

test.each(['kill', 'kill_after'] as const)(
  'the Worker dies with the commit that stores the event (%s): the event comes once',
  async (mode) => {
    const at = await holding();
    await at.platform.api.disconnect(at.ada.email);
    await dying({ ...neon('update "proposals" set "untold"'), mode }, tick);
    await expectEnd(at, 'withdrawn');
  },
);

describe('an agent’s code that nobody exchanged', () => {
  const CODES_END = neon('update "agent_codes" set "expires_at"');

  async function signedIn() {
    const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
    return { ...(await world.signIn(email)), agent: publishAgent() };
  }

  test.each(['kill', 'kill_after'] as const)(
    'ends when its page is refused and the Worker dies (%s), once the person refuses again',
    async (mode) => {
      const { browser, agent } = await signedIn();
      const { verifier, challenge } = pkce();
      const page = await browser.open(agentUrl(agent, challenge));
      const { params } = await decide(browser, page, 'allow');
      await dying({ ...CODES_END, mode }, () => decide(browser, page, 'refuse'));
      if (mode === 'kill') expect((await decide(browser, page, 'refuse')).params.get('error')).toBe('access_denied');
      expect((await exchange(agent, { code: params.get('code') ?? '', verifier })).status).toBe(400);
    },
  );

  test.each(['kill', 'kill_after'] as const)(
    'and every session end together when the person signs out everywhere and the Worker dies (%s)',
    async (mode) => {
      const { browser, agent } = await signedIn();
      const given = await letIn(browser, agent);
      const page = await visit(browser, '/me');
      await dying({ ...CODES_END, mode }, () => browser.submit(page, '/me/sign-out-everywhere'));
      const isSignedIn = (await visit(browser, '/me')).html.includes('/me/sign-out-everywhere');
      const { status } = await exchange(agent, given);
      expect([isSignedIn, status]).toEqual(mode === 'kill' ? [true, 200] : [false, 400]);
    },
  );
});
