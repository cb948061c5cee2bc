import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { connectedPerson, webhooksOf } from '../../support/people/factories.ts';
import { iso } from '../../support/people/meetings.ts';
import { moving } from '../../support/people/move-proposals.ts';
import { acceptedProposal, answer, choosing, look, told, visit } from '../../support/people/proposal-pages.ts';
import { made } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('the booked meeting', () => {
  test('is cancelled by the same link, once, and the platform learns who did it', async () => {
    const { url, start, platform, meetingId } = await acceptedProposal();
    const form = { answer: 'cancel', start };
    const answers = await Promise.all([answer(url, form), answer(url, form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await answer(url, form)).status).toBe(303);
    expect(await look(url)).toMatchObject({ status: 200, title: 'This meeting was cancelled' });
    const events = (await webhooksOf(platform)).filter(({ body }) => body.event_type === 'meeting.cancelled');
    expect(events.map(({ body }) => body.data)).toEqual([
      expect.objectContaining({
        meeting_id: meetingId,
        cancelled_by: 'attendee',
        reason: 'cancelled_by_attendee',
        calendar_event: 'deleted',
      }),
    ]);
  });

  test('follows a move, which a form from before does not undo', async () => {
    const { url, start, platform, meetingId, ada, bob } = await acceptedProposal();
    const moved = iso(Number(start) + 24 * HOUR);
    const change = { start_time: moved, end_time: iso(Number(start) + 24 * HOUR + 30 * MINUTE) };
    const put = await platform.api.send('PUT', `/v1/meetings/${meetingId}`, {
      attendees: [ada.email, bob.email],
      ...change,
    });
    expect(put.status).toBe(200);
    const refused = told(await answer(url, { answer: 'cancel', start }));
    expect(refused).toMatchObject({ status: 409, words: expect.stringContaining('Nothing was changed') });
    expect((await answer(url, { answer: 'cancel', start: String(Date.parse(moved)) })).status).toBe(303);
  });

  test('follows a reschedule to the meeting that replaced it', async () => {
    const { url, platform, meetingId, bob } = await acceptedProposal();
    const body = { meeting_id: meetingId, requested_by: bob.email, reason: 'Could we do an hour later?' };
    const { body: answered } = await platform.api.send('POST', `/v1/meetings/${meetingId}/reschedule`, body);
    const { new_meeting_time } = answered as { new_meeting_time: string };
    expect((await visit(url)).text).toContain(`<time datetime="${new Date(new_meeting_time).toISOString()}">`);
    expect((await answer(url, { answer: 'cancel', start: String(Date.parse(new_meeting_time)) })).status).toBe(303);
    expect(await look(url)).toMatchObject({ title: 'This meeting was cancelled' });
  });

  test('is not theirs to cancel once it is with somebody else', async () => {
    const { url, start, platform, meetingId, ada } = await acceptedProposal();
    const cyd = await connectedPerson(platform, { name: 'cyd' });
    const put = await platform.api.send('PUT', `/v1/meetings/${meetingId}`, {
      attendees: [ada.email, cyd.email],
      start_time: iso(Number(start)),
      end_time: iso(Number(start) + 30 * MINUTE),
    });
    expect(put.status).toBe(200);
    expect(await look(url)).toMatchObject({ title: 'This meeting is no longer with you' });
    expect((await answer(url, { answer: 'cancel', start })).status).toBe(409);
    expect((await visit(`${url}/meeting.ics`)).status).toBe(404);
    expect((await platform.api.send('GET', `/v1/meetings/${meetingId}`)).body).toMatchObject({ status: 'updated' });
  });

  test('cannot be cancelled once it has begun', async () => {
    const { url, start, platform, meetingId } = await acceptedProposal();
    await world.advance(Number(start) - world.clock.now() + MINUTE);
    expect(await look(url)).toMatchObject({ title: 'This meeting has begun' });
    expect((await answer(url, { answer: 'cancel', start })).status).toBe(409);
    expect((await platform.api.send('GET', `/v1/meetings/${meetingId}`)).body).toMatchObject({ status: 'scheduled' });
    await world.advance(30 * MINUTE);
    expect(await look(url)).toMatchObject({ title: 'This meeting is over' });
  });

  test('is not cancelled by a form without its start', async () => {
    const { url, platform, meetingId } = await acceptedProposal();
    for (const start of ['', 'NaN', '0', '1e400', '99999999999999999999', '<b>'])
      expect([start, (await answer(url, { answer: 'cancel', start })).status]).toEqual([start, 409]);
    expect((await platform.api.send('GET', `/v1/meetings/${meetingId}`)).body).toMatchObject({ status: 'scheduled' });
  });

  test('comes as a calendar file with the id of the invitation', async () => {
    const { url, start, meetingId, ada, bob } = await acceptedProposal();
    const file = await visit(`${url}/meeting.ics`);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const [row] = await world.neon.query('select provider_event_id as id from meetings where id = $1', [meetingId]);
    const unfolded = file.text.replaceAll('\r\n ', '').split('\r\n');
    const stamp = (ms: number) => iso(ms).replaceAll(/[-:]/g, '');
    expect(unfolded).toEqual(
      expect.arrayContaining([
        `UID:${row?.id}@google.com`,
        `DTSTART:${stamp(Number(start))}`,
        `DTEND:${stamp(Number(start) + 30 * MINUTE)}`,
        'SUMMARY:Contract questions',
        `ORGANIZER:mailto:${ada.email}`,
        `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${bob.email}`,
        'LOCATION:Google Meet',
      ]),
    );
    expect(file.text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  });
});

describe('a proposal that moves a meeting', () => {
  test('says where the meeting is until somebody chooses, and then where it went', async () => {
    const { proposal } = await moving();
    const open = await look(`${proposal.url}?zone=UTC`);
    expect(open.words).toContain('asks you to move this meeting and offers three times.');
    expect(open.words).toMatch(/Your meeting is on \w+day, \d+ \w+, \d+:\d\d , and stays there until you choose\./);
    expect((await answer(proposal.url, choosing(proposal))).status).toBe(303);
    const moved = await visit(proposal.url);
    expect(told(moved).title).toBe('Your meeting was moved');
    expect(moved.text).toContain(new Date(proposal.times[0]?.start_time ?? '').toISOString());
  });

  test('says after a decline that the meeting was not moved', async () => {
    const { proposal } = await moving();
    await answer(proposal.url, { answer: 'decline' });
    expect((await look(proposal.url)).words).toContain('The meeting was not moved, and');
  });

  test('is over as soon as the meeting is not as it was', async () => {
    const { proposal, meeting } = await moving();
    await meeting.platform.api.send('DELETE', `/v1/meetings/${meeting.id}`);
    expect(await look(proposal.url)).toMatchObject({ title: 'These times have expired' });
    const form = choosing(proposal);
    expect(told(await answer(proposal.url, form))).toMatchObject({ status: 409, title: 'These times have expired' });
  });
});

test('a link with the punctuation that a mail program took for a part of it leads to its page', async () => {
  const { proposal } = await made();
  const { pathname } = new URL(proposal.url);
  for (const end of ['.', ')', '%3E', '%20', '%22).', ',']) {
    const cut = await visit(`${proposal.url}${end}?zone=Europe/Paris`);
    expect([end, cut.status, cut.headers.get('location')]).toEqual([end, 302, `${pathname}?zone=Europe/Paris`]);
  }
  expect((await visit(`${proposal.url}x`)).status).toBe(404);
  const slash = await visit(`${proposal.url}/?zone=Europe/Paris`);
  expect([slash.status, slash.headers.get('location')]).toEqual([302, `${pathname}?zone=Europe/Paris`]);
});
