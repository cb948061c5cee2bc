import { expect } from 'vitest';
import { violations } from '../checks/checker.ts';
import { quiet } from '../worlds/quiet.ts';
import { expectMovedTo } from './changing.ts';
import { connectedPerson } from './factories.ts';
import { type Booked, booked, iso } from './meetings.ts';
import { madeMeeting, type Request, request, type Scene } from './operations.ts';
import { accept, type Proposal, proposed, readProposal, subscribe, toldOf, weekdays } from './proposing.ts';

export interface Moving {
  meeting: Booked;
  proposal: Proposal;
  id: string;
}

export const moveOf = ({ id }: Pick<Booked, 'id'>) => ({ meeting_id: id, times: weekdays(4).slice(1).map(iso) });

/** Books a meeting on the first weekday at least two days away, and offers three later times for it. */
export async function moving(change: object = {}, made: Parameters<typeof booked>[0] = {}): Promise<Moving> {
  const meeting = await booked({ start: weekdays(1)[0] ?? 0, ...made });
  await subscribe(meeting.platform);
  const proposal = await proposed(meeting.platform, { ...moveOf(meeting), ...change });
  return { meeting, proposal, id: proposal.proposal_id };
}

/**
 * Checks that the meeting was moved to a time of the proposal, as Postgres, Google and the inbox tell it: one event, a
 * new meeting, and the proposal's end.
 */
export async function expectMovedBy({ meeting, id }: Moving): Promise<Proposal> {
  await quiet([meeting.platform]);
  const proposal = await readProposal(meeting.platform, id);
  const [time] = proposal.times.filter(({ status }) => status === 'accepted');
  const [start, end] = [Date.parse(time?.start_time ?? ''), Date.parse(time?.end_time ?? '')];
  expect(proposal).toMatchObject({ status: 'accepted', moves_meeting_id: meeting.id });
  await expectMovedTo(meeting, proposal.meeting_id ?? '', { start, end });
  expect(await toldOf(meeting.platform)).toEqual([
    ['proposal.accepted', expect.objectContaining({ proposal_id: id, meeting_id: proposal.meeting_id })],
  ]);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
  return proposal;
}

export async function expectNoMove({ meeting, id }: Moving, status: string): Promise<void> {
  await quiet([meeting.platform]);
  expect((await readProposal(meeting.platform, id)).status).toBe(status);
  expect((await toldOf(meeting.platform)).map(([type]) => type)).toEqual([`proposal.${status}`]);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

/**
 * Books a meeting with a person who has no proposals, and offers one other time for it, on a platform that gets every
 * event.
 */
export async function offerMove(at: Scene, change: object = {}): Promise<Proposal> {
  await subscribe(at.platform);
  const [requester] = at.people;
  if (requester === undefined) throw new Error('The scene has nobody.');
  const meeting_id = await madeMeeting(at, { people: [requester, await connectedPerson(at.platform)] });
  return proposed(at.platform, { meeting_id, times: [iso(at.slot())], expires_in_hours: 1, ...change });
}

export const moveAcceptance = ({ platform }: Scene, { proposal_id, times }: Proposal): Request =>
  request({ platform }, () => accept(platform, proposal_id, times[0]?.id));

/** Asks for three other times of a meeting with a person who has no proposals. */
export async function offerInstead(at: Scene, key: string): Promise<Request> {
  const [requester] = at.people;
  if (requester === undefined) throw new Error('The scene has nobody.');
  const id = await madeMeeting(at, { people: [requester, await connectedPerson(at.platform)] });
  const body = { requested_by: requester.email, reason: 'Something came up.', propose: true };
  return request({ platform: at.platform, key }, (headers) =>
    at.platform.api.send('POST', `/v1/meetings/${id}/reschedule`, body, { headers }),
  );
}
