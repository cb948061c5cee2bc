import { expect, test } from 'vitest';
import { connectAgent } from '../support/people/agents.ts';
import { type Batch, readBatch, sendBatch } from '../support/people/batches.ts';
import { readByTick, sourcesOf } from '../support/people/calendars.ts';
import { suspend } from '../support/people/dashboard.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { iso, useQuota } from '../support/people/meetings.ts';
import { propose, proposed, weekdays, withdraw } from '../support/people/proposing.ts';
import { type Answer, createClient } from '../support/worlds/client.ts';
import { eventually, hold, met, quiet } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The weekday on which Ada is busy from 15:00 to 16:00 UTC, as the start of that hour. */
const [BUSY_AT = 0] = weekdays(1);
const MIDNIGHT = BUSY_AT - 15 * HOUR;

type Zones = [ada: string, bob: string];

/** Has a platform book Ada and Bob at these times, and then somebody else fill Ada's day. */
async function scene(
  preferences: object,
  fill: (ada: string) => Promise<unknown>,
  zones: Zones = ['UTC', 'UTC'],
  booked: number[] = [],
  plan = 'enterprise',
) {
  const platform = await freshPlatform({ plan });
  const [ada, bob] = [
    await connectedPerson(platform, { name: 'ada', timezone: zones[0] }),
    await connectedPerson(platform, { name: 'bob', timezone: zones[1] }),
  ];
  const { api_key } = await world.connect(platform, ada.email);
  const own = createClient(world.baseUrl, api_key);
  expect((await own.send('PUT', '/v1/user/preferences', preferences)).status).toBe(200);
  const attendees = [ada.email, bob.email];
  const meetings: string[] = [];
  for (const at of booked) {
    const own = { attendees, start_time: iso(at), duration_minutes: 30, title: 'Own' };
    const answer = await platform.api.schedule(own);
    expect(answer.status).toBe(200);
    meetings.push((answer.body as { meeting_id: string }).meeting_id);
  }
  await fill(ada.email);
  await quiet([platform]);
  // What differs for every pair and every request, whoever asks about whomever.
  const alike = (texts: string[]) =>
    texts.map((text) =>
      text
        .replaceAll(ada.email, 'ada@example.com')
        .replaceAll(bob.email, 'bob@example.com')
        .replaceAll(/"(?:request_id|read_at|created_at|expires_at|completed_at|provider_event_id)":"[^"]*"/g, '')
        .replaceAll(/"processing_time_ms":\d+/g, '')
        .replaceAll(/"source":"\w+"/g, '')
        .replaceAll(/\b(?:meet|prop|time|sched)_\w+|meet\.google\.com\/[a-z-]+|\/p\/[\w-]+/g, '')
        .replaceAll(/\b(?:ada|bob)\.[0-9a-f]{8}\b/gi, 'x'),
    );
  return { platform, ada, bob, attendees, meetings, alike };
}

/** Returns as texts the answers to everything that a platform can ask about Ada and Bob on that day. */
async function asked(...given: Parameters<typeof scene>) {
  const { platform, ada, attendees, alike } = await scene(...given);
  const date = iso(BUSY_AT).slice(0, 10);
  const day = { start_date: date, end_date: date };
  const pair = { attendees, duration_minutes: 30 };
  const { api } = platform;
  const texts: string[] = [];
  const note = (answer: { status: number; text: string }) => texts.push(`${answer.status} ${answer.text}`);
  note(await api.send('POST', '/v1/availability', { ...pair, date_range: day }));
  // An offer that is free counts for the platform that makes it, and can be taken back.
  texts.push(String((await propose(platform, { ...pair, title: 'Offer', times: [iso(BUSY_AT - 3 * HOUR)] })).status));
  const times = [BUSY_AT, BUSY_AT + HOUR, BUSY_AT - 6 * HOUR, BUSY_AT + 15 * MINUTE];
  const midnights = [MIDNIGHT, MIDNIGHT + 24 * HOUR];
  const edges = midnights.flatMap((midnight) =>
    [-45, -30, -15, 0, 15, 30].map((minutes) => midnight + minutes * MINUTE),
  );
  note(await api.send('POST', '/v1/availability?fresh=true', { ...pair, date_range: day }));
  for (const at of [...times, ...edges])
    note(await api.send('POST', '/v1/availability/explain?fresh=true', { ...pair, start_time: iso(at) }));
  note(await api.send('GET', `/v1/users/${ada.email}/availability?start_date=${date}&end_date=${date}&fresh=true`));
  note(await api.schedule({ ...pair, start_time: iso(BUSY_AT), title: 'Taken', require_free: true }));
  // A meeting beside the day that is free can be taken back too.
  for (const at of [MIDNIGHT - 30 * MINUTE, MIDNIGHT - 15 * MINUTE]) {
    const beside = await api.schedule({ ...pair, start_time: iso(at), title: 'Beside', require_free: true });
    texts.push(beside.status === 200 ? '200' : beside.text);
    if (beside.status === 200)
      await api.send('DELETE', `/v1/meetings/${(beside.body as { meeting_id: string }).meeting_id}`);
  }
  note(await propose(platform, { ...pair, title: 'Taken', times: [iso(BUSY_AT + 15 * MINUTE)] }));
  const sent = await sendBatch(platform, {
    meetings: ['one', 'two'].map((reference) => ({ reference, ...pair })),
    date_range: day,
    dry_run: true,
  });
  await quiet([platform]);
  const { meetings } = await readBatch(platform, (sent.body as Batch).batch_id);
  texts.push(JSON.stringify(meetings));
  const agent = await connectAgent(platform.secret_key);
  for (const [name, args] of [
    ['check_availability', { attendees, duration_minutes: 30, date_range: day }],
    ['explain_time', { attendees, duration_minutes: 30, start_time: iso(BUSY_AT + HOUR) }],
    ['explain_time', { attendees, duration_minutes: 30, start_time: iso(BUSY_AT - 6 * HOUR) }],
    ['schedule_meeting', { attendees, duration_minutes: 30, start_time: iso(BUSY_AT + HOUR / 4), title: 'Taken' }],
    ['propose_times', { attendees, times: [iso(BUSY_AT + HOUR / 4)], title: 'Taken' }],
  ] as const)
    texts.push((await agent.call(name, args)).text);
  note(await propose(platform, { ...pair, title: 'Picked' }));
  const job = await api.send('POST', '/v1/schedule/auto', { ...pair, title: 'Auto', context: 'one_on_one' });
  await quiet([platform]);
  note(await api.send('GET', `/v1/jobs/${(job.body as { job_id: string }).job_id}`));
  expect(texts.at(-1)).toContain('"status":"completed"');
  return alike(texts);
}

/** Moves a meeting of Ada and Bob onto an hour that others have, and returns the answers to whoever then moves it away. */
async function movedAway(preferences: object, fill: (ada: string) => Promise<unknown>) {
  const { platform, ada, bob, meetings, alike } = await scene(preferences, fill, undefined, [BUSY_AT - 2 * HOUR]);
  const [id = ''] = meetings;
  const { api } = platform;
  const move = async (at: number) => {
    const time = { start_time: iso(at), end_time: iso(at + 30 * MINUTE) };
    expect((await api.send('PUT', `/v1/meetings/${id}`, time)).status).toBe(200);
    await quiet([platform]);
  };
  const texts: string[] = [];
  const away = async (meeting: string, wish: object) => {
    const answer = await api.send('POST', `/v1/meetings/${meeting}/reschedule`, wish);
    texts.push(`${answer.status} ${answer.text}`);
    return answer.body as { proposal_id?: string; new_meeting_id?: string };
  };
  for (const at of [0, 15, 30]) {
    await move(BUSY_AT + at * MINUTE);
    for (const { email } of [ada, bob]) {
      await away(id, { reason: 'On the 45th at noon-ish of sprintday', requested_by: email, when_unclear: 'refuse' });
      for (const reason of ['Half an hour later', 'At 3 pm on that day', 'An hour earlier', 'Something came up']) {
        const { proposal_id } = await away(id, { reason, requested_by: email, propose: true });
        if (proposal_id) expect((await withdraw(platform, proposal_id)).status).toBe(200);
      }
    }
  }
  await away(id, { reason: 'Half an hour later', requested_by: ada.email });
  return alike(texts);
}

/** Has another platform book Ada for that hour, in which she also gets the event of the meeting. */
async function bookedElsewhere(ada: string): Promise<void> {
  const other = await freshPlatform({ plan: 'enterprise' });
  await world.connectCalendar(other, ada);
  const cem = await connectedPerson(other, { name: 'zoltan' });
  const meeting = { attendees: [ada, cem.email], start_time: iso(BUSY_AT), duration_minutes: 60, title: 'Secret' };
  expect((await other.api.schedule(meeting)).status).toBe(200);
}

/** Has another platform hold that hour of Ada's, which no calendar shows, with an offer to a guest. */
async function heldElsewhere(ada: string): Promise<void> {
  const other = await freshPlatform({ plan: 'enterprise' });
  await world.connectCalendar(other, ada);
  const offer = { attendees: [ada, 'zoltan@elsewhere.test'], duration_minutes: 60, title: 'Secret' };
  expect((await propose(other, { ...offer, times: [iso(BUSY_AT)] })).status).toBe(201);
}

const busy = (start: number, end: number) => async (ada: string) =>
  world.google.addBusy({ email: ada, start: iso(start), end: iso(end) });

test('with a buffer, an event of the calendar and a meeting of another platform get the same answers', async () => {
  const preferences = { buffer_minutes: 30 };
  const event = await asked(preferences, busy(BUSY_AT, BUSY_AT + HOUR));
  const meeting = await asked(preferences, bookedElsewhere);
  expect(meeting).toEqual(event);
  expect(meeting.join()).toContain('"rule":"buffer"');
  expect(meeting.join()).not.toMatch(/day_limit|one_more_meeting|Secret|zoltan/);
});

test.each([0, 15, 30])(
  'with a buffer of %i minutes, a day that others fill answers as an all-day event, and nothing is said of a limit',
  async (buffer) => {
    const preferences = { max_meetings_per_day: 1, buffer_minutes: buffer };
    const event = await asked(preferences, busy(MIDNIGHT, MIDNIGHT + 24 * HOUR));
    const meeting = await asked(preferences, bookedElsewhere);
    expect(meeting).toEqual(event);
    expect(meeting.join()).toContain('"rule":"busy"');
    expect(meeting.join()).not.toMatch(/day_limit|one_more_meeting|limit for that day|Secret|zoltan/);
  },
);

test('a day that a platform’s own meetings do not fill alone answers as an all-day event too', async () => {
  const preferences = { max_meetings_per_day: 2, buffer_minutes: 15 };
  const own = [BUSY_AT - 2 * HOUR];
  const event = await asked(preferences, busy(MIDNIGHT, MIDNIGHT + 24 * HOUR), ['UTC', 'UTC'], own);
  const meeting = await asked(preferences, bookedElsewhere, ['UTC', 'UTC'], own);
  expect(meeting).toEqual(event);
  expect(meeting.join()).not.toMatch(/day_limit|one_more_meeting|limit for that day|Secret|zoltan/);
});

test('a day that a platform’s own meetings fill is full by the limit, and what others have there is busy', async () => {
  const preferences = { max_meetings_per_day: 1, buffer_minutes: 15 };
  const own = [BUSY_AT - 2 * HOUR];
  const event = await asked(preferences, busy(BUSY_AT, BUSY_AT + HOUR), ['UTC', 'UTC'], own);
  const meeting = await asked(preferences, bookedElsewhere, ['UTC', 'UTC'], own);
  expect(meeting).toEqual(event);
  expect(meeting.join()).toContain('"rule":"day_limit"');
  expect(meeting.join()).not.toMatch(/Secret|zoltan/);
});

test('a limit of two: what a platform offers or tries, which can be taken back, does not count the meetings of others', async () => {
  const preferences = { max_meetings_per_day: 2 };
  const event = await asked(preferences, busy(BUSY_AT, BUSY_AT + HOUR));
  const meeting = await asked(preferences, bookedElsewhere);
  expect(meeting).toEqual(event);
  expect(meeting.join()).not.toMatch(/Secret|zoltan/);
});

test.each([
  ['a used-up quota', 429, 'INSERT'],
  ['a calendar that nobody can read', 500, ''],
] as const)(
  '%s says nothing of what other platforms have at a time that must be free',
  async (_what, status, spend) => {
    const answers: string[] = [];
    for (const fill of [busy(BUSY_AT, BUSY_AT + HOUR), bookedElsewhere, heldElsewhere]) {
      const { platform, attendees, alike } = await scene({}, fill, ['UTC', 'UTC'], [], 'developer');
      if (spend) await useQuota(platform, 25);
      else world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 500 });
      const meeting = { attendees, duration_minutes: 30, start_time: iso(BUSY_AT), title: 'Taken', require_free: true };
      const answer = await platform.api.schedule(meeting);
      expect(answer.status).toBe(status);
      answers.push(...alike([answer.text.replaceAll(/ID is [\w-]+/g, '')]));
      world.faults.clear();
    }
    expect(answers).toEqual(answers.map(() => answers[0]));
  },
);

test.each([
  ['an event', busy(BUSY_AT, BUSY_AT + HOUR)],
  ['a meeting of another platform', bookedElsewhere],
  ['an offer of another platform', heldElsewhere],
] as const)(
  'a time that must be free and that %s takes is refused before anything is reserved',
  async (_what, fill) => {
    const { platform, attendees } = await scene({}, fill);
    const meeting = { attendees, duration_minutes: 30, start_time: iso(BUSY_AT), title: 'Taken', require_free: true };
    const look = hold({ target: 'google', match: 'POST /calendar/v3/freeBusy' });
    const asking = platform.api.schedule(meeting, { headers: { 'Idempotency-Key': 'taken' } });
    await met(look);
    const traces = ['meetings', 'usage', 'idempotency_keys'].map((table) =>
      world.neon.query(`select platform_id from ${table} where platform_id = $1`, [platform.id]),
    );
    expect(await Promise.all(traces)).toEqual([[], [], []]);
    look.release();
    expect((await asking).text).toContain('is not free then');
  },
);

test('what another platform holds beyond the dates of a search changes no word of it', async () => {
  // At 10:00 and 16:00 on these clocks, a sentence praises the room around a time unless both calendars are empty.
  const zones: Zones = ['America/New_York', 'Europe/Berlin'];
  const nothing = await asked({}, async () => undefined, zones);
  const hold = async (ada: string) => {
    const other = await freshPlatform({ plan: 'enterprise' });
    await world.connectCalendar(other, ada);
    const { email } = await connectedPerson(other, { name: 'zoltan' });
    const [far = 0] = weekdays(30).slice(-1);
    const offer = { attendees: [ada, email], duration_minutes: 30, title: 'Secret', times: [iso(far)] };
    expect((await propose(other, offer)).status).toBe(201);
  };
  expect(await asked({}, hold, zones)).toEqual(nothing);
});

test.each([0, 15])(
  'with a buffer of %i minutes, moving a meeting away from what others have there tells no event from a meeting or an offer',
  async (buffer) => {
    const preferences = { buffer_minutes: buffer };
    const event = await movedAway(preferences, busy(BUSY_AT, BUSY_AT + HOUR));
    expect(await movedAway(preferences, bookedElsewhere)).toEqual(event);
    expect(await movedAway(preferences, heldElsewhere)).toEqual(event);
    expect(event.join()).toContain('"alternatives":[{');
    expect(event.join()).not.toMatch(/Secret|zoltan/);
  },
);

test.each([1, 2])(
  'with a limit of %i meetings a day, a move within a full day tells no event from a meeting of another platform',
  async (limit) => {
    const booked = [BUSY_AT - 6 * HOUR, BUSY_AT - 5 * HOUR].slice(0, limit);
    const time = BUSY_AT - 3 * HOUR;
    const moved = async (fill: (ada: string) => Promise<unknown>) => {
      const { platform, bob, meetings, alike } = await scene({ max_meetings_per_day: limit }, fill, undefined, booked);
      const [id = ''] = meetings;
      const texts: string[] = [];
      const note = async ({ status, text, body }: Answer) => {
        texts.push(`${status} ${text}`);
        const { proposal_id } = body as { proposal_id?: string };
        if (proposal_id) expect((await withdraw(platform, proposal_id)).status).toBe(200);
      };
      const preferred_time_range = { start: iso(time), end: iso(time + HOUR) };
      const wish = { requested_by: bob.email, reason: 'x', preferred_time_range };
      const move = (more: object) =>
        platform.api.send('POST', `/v1/meetings/${id}/reschedule`, { ...wish, ...more }).then(note);
      await note(await propose(platform, { meeting_id: id, times: [iso(time)] }));
      await move({ propose: true });
      await move({});
      return alike(texts);
    };
    const event = await moved(busy(BUSY_AT, BUSY_AT + HOUR));
    expect(event.map((text) => text.slice(0, 3))).toEqual(['201', '200', '200']);
    expect(await moved(bookedElsewhere)).toEqual(event);
  },
);

test('what another platform holds and frees makes both stored calendars stale, as an event does', async () => {
  const { platform, ada, bob, attendees } = await scene({}, async () => undefined);
  const other = await freshPlatform({ plan: 'enterprise' });
  for (const email of attendees) await world.connectCalendar(other, email);
  const offer = { attendees, duration_minutes: 30, title: 'Secret', times: [iso(BUSY_AT)] };
  const sources = async () =>
    (await sourcesOf(platform, attendees)).map((read) => ('source' in read ? read.source : read));
  let held = '';
  const start_time = iso(BUSY_AT + 3 * HOUR);
  const reserved = async () => {
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'hang', times: 1 });
    void other.api.schedule({ attendees, start_time, duration_minutes: 30, title: 'Secret' });
    const holds = () => world.neon.query('select 1 from holds where lower(during) = $1', [start_time]);
    await eventually(async () => expect(await holds()).toHaveLength(2));
  };
  const changes: [string, () => Promise<unknown>][] = [
    ['an event', () => Promise.all([ada, bob].map(({ email }) => busy(BUSY_AT + HOUR, BUSY_AT + 2 * HOUR)(email)))],
    ['an offer', async () => (held = (await proposed(other, offer)).proposal_id)],
    ['its end', () => withdraw(other, held)],
    ['a booking that its calendar has not answered', reserved],
    ['another offer', () => proposed(other, offer)],
    ['the end of the access that it rests on', () => suspend(other)],
  ];
  for (const [what, change] of changes) {
    await readByTick(...attendees);
    expect([what, await sources()]).toEqual([what, ['snapshot', 'snapshot']]);
    await change();
    await world.google.settled();
    expect([what, await sources()]).toEqual([what, ['google', 'google']]);
  }
});
