import { formatInTimeZone } from 'date-fns-tz';
import { expect, test } from 'vitest';
import { atDashboard, visit as visitAsOwner, wordsOf } from '../../support/people/dashboard.ts';
import { details, metAsGuest } from '../../support/people/guests.ts';
import { moving } from '../../support/people/move-proposals.ts';
import { answer, answerTo, counter, named, told, visit, ZONE } from '../../support/people/proposal-pages.ts';
import { accept, heldFor, readProposal } from '../../support/people/proposing.ts';
import { callsEnded } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

test('a proposal that moves a meeting is answered with other times, and one of them moves it', async () => {
  const { meeting, proposal, id } = await moving();
  const day = new Date(proposal.times[1]?.start_time ?? '');
  expect((await counter(proposal.url, `${named(day)} between 16:00 and 18:00`)).status).toBe(303);
  const next = await answerTo(meeting.platform, id);
  expect(await readProposal(meeting.platform, id)).toMatchObject({ status: 'countered', meeting_id: null });
  expect(next).toMatchObject({ status: 'open', counter_of: id, moves_meeting_id: meeting.id });
  for (const { start_time } of next.times) {
    expect(start_time.slice(0, 10)).toBe(day.toISOString().slice(0, 10));
    expect(Number(formatInTimeZone(start_time, ZONE, 'H'))).toBeGreaterThanOrEqual(16);
  }
  expect(await heldFor(meeting.platform)).toBe(2 * next.times.length);
  expect(told(await visit(next.url)).words).toContain('can meet you at');
  expect((await answer(next.url, { answer: 'accept', time: next.times[0]?.id ?? '' })).status).toBe(303);
  expect((await readProposal(meeting.platform, next.proposal_id)).status).toBe('accepted');
});

test('the dashboard says of a guest’s meeting who is not connected', async () => {
  const { platform, ada, grace, meetingId, meeting } = await metAsGuest();
  expect((await meeting()).attendee_details).toEqual(details([ada.email, true], [grace.email, false]));
  const { browser } = await atDashboard(platform);
  expect(wordsOf(await visitAsOwner(browser, `/dashboard/meetings/${meetingId}`))).toMatch(
    new RegExp(`${grace.email} : invitation not answered Not connected`),
  );
});

test.each([
  ['before Google moved the event: the answer counts', 'kill', 303, 'countered'],
  ['after Google moved the event: the meeting has moved', 'kill_after', 409, 'accepted'],
] as const)('an acceptance that died %s', async (_when, mode, status, end) => {
  const { meeting, proposal, id } = await moving();
  world.faults.add({ target: 'google', match: 'PATCH /calendar/v3/calendars/primary/events', mode, times: 1 });
  await accept(meeting.platform, id, proposal.times[0]?.id).catch(() => undefined);
  await callsEnded();
  await world.worker.ready();
  await world.advance(61_000);
  const day = new Date(proposal.times[1]?.start_time ?? '');
  expect((await counter(proposal.url, `${named(day)} between 16:00 and 18:00`)).status).toBe(status);
  expect((await readProposal(meeting.platform, id)).status).toBe(end);
});
