import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { openCases } from '../../support/checks/calendar-cases.ts';

// Cases that other products' copies of calendars got wrong. The expected result is the calendar's own free/busy at
// rest.
const cases = await openCases();
afterAll(() => cases.lab.close());

describe('a snapshot is what the calendar’s free/busy says, whatever it is made of', () => {
  test('1: an endless weekly series that nobody touches, forty days on', async () => {
    const { lab, person, day, agree, rest } = cases;
    const ada = await person('Europe/Berlin');
    lab.google.addEvent({ email: ada.email, ...day(1, '09:00', '10:00'), recurrence: ['RRULE:FREQ=WEEKLY'] });
    await rest();
    await agree(ada);
    for (let days = 0; days < 40; days += 4) {
      lab.advance(4 * DAY);
      await lab.ask(ada.email);
      await rest();
    }
    const { busy } = await agree(ada);
    expect(busy.length).toBeGreaterThanOrEqual(7);
  });

  test('2: a series renamed, moved from one instance on, one instance moved, one cancelled: few rows, few calls', async () => {
    // The person is alone, because the same ticks would also read, and count, the calendars of others.
    const { lab, person, day, agree, hear, rest } = await openCases();
    onTestFinished(() => lab.close());
    // This day lies after the day on which the clocks change.
    lab.advance(40 * DAY);
    const ada = await person('Europe/Berlin');
    const { email } = ada;
    await rest();
    const times = day(7, '09:00', '10:00');
    const id = lab.google.addEvent({ email, ...times, recurrence: ['RRULE:FREQ=WEEKLY'] });
    const instance = (weeks: number) => {
      const start = new Date(Date.parse(times.start) + weeks * 7 * DAY);
      return `${id}_${start.toISOString().replace(/[-:]|\.000/g, '')}`;
    };
    const changes = [
      { eventId: id, summary: 'Renamed' },
      { eventId: instance(2), ...day(22, '15:00', '16:00') },
      { eventId: instance(3), deleted: true },
      { eventId: instance(6), following: true, ...day(50, '11:00', '12:30') },
    ];
    for (const change of changes) {
      lab.google.patchEvent({ email, ...change });
      const before = lab.counts.google;
      await hear();
      await agree(ada);
      expect(lab.counts.google - before).toBeLessThanOrEqual(4);
    }
    const rows = await lab.neon.query('select count(*)::int as n from busy_snapshots where user_id = $1', [ada.userId]);
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('3: a vacation begun yesterday, across midnight, and across both edges of what is read', async () => {
    const { lab, person, day, agree, hear } = cases;
    const ada = await person('Pacific/Auckland');
    const { email } = ada;
    await cases.rest();
    lab.google.addEvent({ email, ...day(-1, '00:00', '00:00', 9) });
    lab.google.addEvent({ email, ...day(12, '22:00', '03:00', 1) });
    lab.google.addEvent({ email, ...day(-30, '00:00', '00:00', 28) });
    lab.google.addEvent({ email, ...day(49, '00:00', '00:00', 60) });
    await hear();
    const { busy } = await agree(ada);
    expect(busy.length).toBe(4);
  });

  test('4: moved from next week to the fifth month, and back', async () => {
    const { lab, person, day, agree, hear } = cases;
    const ada = await person('America/Sao_Paulo');
    const { email } = ada;
    const eventId = lab.google.addEvent({ email, ...day(8, '09:00', '10:00') });
    await cases.rest();
    for (const to of [day(150, '09:00', '10:00'), day(8, '09:00', '10:00')]) {
      lab.google.patchEvent({ email, eventId, ...to });
      await hear();
      await agree(ada);
    }
    expect((await lab.served(email))?.busy).toHaveLength(1);
  });

  test('5: whole days busy and free, a holiday in a far zone, a day of 23 hours; the calendar’s zone changes and no event', async () => {
    const { lab, person, date, agree } = cases;
    const ada = await person('America/New_York');
    const { email } = ada;
    // The clocks go forward there on 8 March.
    lab.google.addEvent({ email, start: '2026-03-08', end: '2026-03-09' });
    lab.google.addEvent({ email, start: date(20), end: date(22) });
    lab.google.addEvent({ email, start: date(25), end: date(26), transparency: 'transparent' });
    await cases.rest();
    await agree(ada);
    lab.google.setZone({ calendar: email, timezone: 'Pacific/Kiritimati' });
    await cases.rest();
    await agree(ada);
  });

  test('6: declined is free, unanswered and tentative are busy, and one instance of a series has an answer of its own', async () => {
    const { lab, person, day, agree, hear } = cases;
    const [ada, bob] = [await person('Europe/Berlin'), await person('Europe/London')];
    const times = day(9, '09:00', '10:00');
    const eventId = lab.google.addEvent({
      email: bob.email,
      ...times,
      attendees: [ada.email, bob.email],
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    });
    await cases.rest();
    const counts: number[] = [(await agree(ada)).busy.length];
    const first = `${eventId}_${times.start.replace(/[-:]|\.000/g, '')}`;
    for (const [id, responseStatus] of [
      [eventId, 'declined'],
      [eventId, 'tentative'],
      [first, 'declined'],
      [first, 'accepted'],
    ] as const) {
      lab.google.patchEvent({ email: ada.email, eventId: id, responseStatus });
      await hear();
      counts.push((await agree(ada)).busy.length);
    }
    expect(counts).toEqual([3, 0, 3, 2, 3]);
  });

  test('7: out of office and focus time are busy, a working location and a birthday are not; private events are times only', async () => {
    const { lab, person, day, date, agree, hear } = cases;
    const ada = await person('Europe/Berlin');
    const { email } = ada;
    await cases.rest();
    lab.google.addEvent({ email, ...day(9, '09:00', '10:00'), eventType: 'outOfOffice' });
    lab.google.addEvent({ email, ...day(10, '09:00', '10:00'), eventType: 'focusTime' });
    lab.google.addEvent({ email, start: date(11), end: date(12), eventType: 'workingLocation' });
    lab.google.addEvent({ email, start: date(12), end: date(13), eventType: 'birthday' });
    lab.google.addEvent({ email, ...day(13, '09:00', '10:00'), visibility: 'private', summary: 'The surgeon' });
    await hear();
    expect((await agree(ada)).busy).toHaveLength(3);
    expect(JSON.stringify(await lab.rowOf(ada.userId))).not.toContain('surgeon');
  });
});
