import { expect } from 'vitest';
import { clockIn } from '../../../lib/words/people.ts';
import { violations } from '../checks/checker.ts';
import { rows } from '../checks/rows.ts';
import { quiet } from '../worlds/quiet.ts';
import type { TestPlatform } from './factories.ts';
import { openInvitation } from './guests.ts';
import { type Request, request } from './operations.ts';
import { answer } from './proposal-pages.ts';
import { heldFor, type Offer, type Proposal, readProposal } from './proposing.ts';

/** The zone of the people at the page in these tests. */
export const ZONE = 'Europe/London';

/** Returns the hour that London's clock shows when it is this hour of a day in UTC. */
export const hourInLondon = (day: Date | undefined, hour: number): number =>
  Number(clockIn(new Date(day ?? 0).setUTCHours(hour, 0, 0, 0), ZONE).split(':')[0]);

/** Asks for other times at the page of a proposal, on the clock of a zone. */
export const counter = (url: string, reason: string, { zone = ZONE, ...fields }: Record<string, string> = {}) =>
  answer(url, { answer: 'counter', reason, zone, ...fields });

/** Returns the proposal that answers another one, as the API shows it. */
export async function answerTo(platform: TestPlatform, id: string): Promise<Proposal> {
  const answers = await rows<{ id: string; counter_of: string | null }>(
    'select id, counter_of from proposals where platform_id = any($1)',
    [platform],
  );
  const row = answers.find(({ counter_of }) => counter_of === id);
  if (row === undefined) throw new Error('nothing answers this proposal');
  return readProposal(platform, row.id);
}

/** Makes an open proposal for a guest in London, whose three times are at 15:00 UTC on three weekdays. */
export async function offered(change: object = {}, options: Parameters<typeof openInvitation>[1] = {}) {
  const scene = await openInvitation(change, options);
  const days = scene.proposal.times.map(({ start_time }) => new Date(start_time));
  return { ...scene, url: scene.proposal.url, days };
}

/** Lets all work of a platform end, and checks that nothing is wrong. */
export async function expectPeace({ platform }: { platform: TestPlatform }): Promise<void> {
  await quiet([platform]);
  expect(await violations({ platforms: [platform] })).toEqual([]);
}

/** Checks that a proposal is as it was made: open, with all its times held. */
export async function expectUntouched({ platform, proposal, id }: Awaited<ReturnType<typeof offered>>): Promise<void> {
  expect(await readProposal(platform, id)).toMatchObject({
    status: 'open',
    times: proposal.times,
    decline_reason: null,
  });
  expect(await heldFor(platform)).toBe(proposal.times.length);
  await expectPeace({ platform });
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Names a date as people write it, such as "Thursday 3 December". */
export const named = (date: Date | undefined) =>
  date === undefined
    ? ''
    : `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${date.toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' })}`;

/** Answers an offer with a wish for other times. */
export const countering = ({ at: { platform }, proposal }: Offer): Request =>
  request({ platform }, async () => {
    const sent = await counter(proposal.url, 'Any time next week would be good');
    return sent.status === 303 ? platform.api.send('GET', `/v1/proposals/${proposal.proposal_id}`) : sent;
  });
