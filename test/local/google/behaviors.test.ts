import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type ArrangedBehavior,
  BEHAVIORS,
  createHand,
  EVENTS,
  type Hand,
  insert,
  refusal,
  reportBehaviors,
} from './behaviors.ts';
import { openGoogleWorld } from './world.ts';

interface List {
  items: { id: string }[];
  nextSyncToken: string;
}

const list = async (hand: Hand, query: Record<string, string>) =>
  (await hand.call('GET', EVENTS, { query })).body as unknown as List;

/** Behaviors that no client can bring about at will, so that only the stand-in shows them. */
const ARRANGED: ArrangedBehavior[] = [
  {
    title: 'an expired sync token is 410',
    evidence: 'documented (guide "Synchronize resources efficiently"); the reason may be missing, so go by the status',
    expected: [410, 'fullSyncRequired'],
    async play(hand, google, email) {
      const { nextSyncToken } = await list(hand, {});
      google.expireSyncTokens(email);
      return refusal(await hand.call('GET', EVENTS, { query: { syncToken: nextSyncToken } }));
    },
  },
  {
    title: 'a full list after an expired token brings events that were never pushed',
    evidence: 'documented (guide "Push notifications": they are not 100% reliable)',
    expected: true,
    async play(hand, google, email) {
      await list(hand, {});
      google.settings.pushes = 'lost';
      const { body } = await insert(hand);
      google.settings.pushes = 'sent';
      google.expireSyncTokens(email);
      return (await list(hand, {})).items.some(({ id }) => id === body.id);
    },
  },
  {
    title: 'a calendar without Meet refuses a conference with 400 "Invalid conference type value."',
    evidence: 'seen by others (issues of scheduling products)',
    expected: [400, 'Invalid conference type value.'],
    async play(hand, google, email) {
      google.noMeet(email);
      const createRequest = { requestId: hand.id(), conferenceSolutionKey: { type: 'hangoutsMeet' } };
      const { status, body } = await insert(
        hand,
        { conferenceData: { createRequest } },
        { conferenceDataVersion: '1' },
      );
      return [status, (body.error as { message?: string } | undefined)?.message];
    },
  },
  {
    title: "a channel's `expiration` is text in epoch milliseconds, and stopping the channel is 204",
    evidence: 'documented (`channels`, field `expiration`; guide "Push notifications")',
    expected: ['string', 204],
    async play(hand) {
      const channel = { id: hand.id(), type: 'web_hook', address: 'https://tandem.example.com/push' };
      const { body } = await hand.call('POST', `${EVENTS}/watch`, { body: channel });
      const { id, resourceId, expiration } = body;
      const { status } = await hand.call('POST', '/channels/stop', { body: { id, resourceId } });
      return [typeof expiration, status];
    },
  },
];

const world = await openGoogleWorld();
afterAll(() => world.close());

async function handOfSomebody() {
  const { email, tokens } = await world.join('Europe/Berlin');
  const account = { rootUrl: world.url, accessToken: tokens.access_token ?? '', now: world.clock.now() };
  return { email, hand: createHand(account) };
}

describe('an account that is arranged for it shows that', () => {
  test.each(ARRANGED)('$title', async ({ play, expected }) => {
    const { hand, email } = await handOfSomebody();
    expect(await play(hand, world.google, email)).toEqual(expected);
  });
});

test('all behaviors, one after the other on one account, are as the table says, and no event is left of them', async () => {
  const { email, hand } = await handOfSomebody();
  const lines: string[] = [];
  await reportBehaviors(hand, BEHAVIORS, (line) => lines.push(line));
  expect(lines).toEqual([
    ...BEHAVIORS.map(({ title }) => `same     ${title}`),
    '',
    `${BEHAVIORS.length} behaviors: ${BEHAVIORS.length} as the table says, 0 differ, 0 could not be played.`,
  ]);
  await hand.clean();
  expect(world.google.events(email).filter(({ status }) => status !== 'cancelled')).toEqual([]);
});

test('without an account it says so and ends', () => {
  const script = fileURLToPath(new URL('check.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env: {}, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
  expect(stdout).toMatch(/^Nothing was checked, because there is no account to check with\.\n/);
});
