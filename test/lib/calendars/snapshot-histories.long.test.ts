import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import type { PushMessage } from '../../local/google/channels.ts';
import { GoogleError } from '../../local/google/errors.ts';
import { type Cases, openCases } from '../../support/checks/calendar-cases.ts';
import { Death, type OnCall } from '../../support/worlds/calendar-lab.ts';

const { SNAPSHOT_RUNS = '100', SNAPSHOT_SEED } = process.env;
const seed = SNAPSHOT_SEED === undefined ? {} : { seed: Number(SNAPSHOT_SEED) };

const cases = await openCases();
afterAll(() => cases.lab.close());

test('after any history of changes, pushes, faults and deaths nothing wrong is served, and at rest all that is right', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, (steps) => play(cases, steps)),
    { ...seed, numRuns: Number(SNAPSHOT_RUNS), endOnFailure: true },
  );
});

const RATE_LIMITED = '{"error":{"code":403,"errors":[{"domain":"usageLimits","reason":"rateLimitExceeded"}]}}';

const step = fc.record({
  act: fc.constantFrom(
    ...(['add', 'add', 'series', 'days', 'move', 'move', 'delete', 'free', 'zone', 'gone'] as const),
    ...(['hear', 'hear', 'hear', 'hear', 'lose', 'keep', 'forge'] as const),
    ...(['tick', 'tick', 'tick', 'minutes', 'hours', 'weeks', 'ask', 'errors', 'leftOut', 'mend', 'expire'] as const),
  ),
  which: fc.nat(1_000),
  /** Trouble during the product's nth call, before or after the call's work. */
  trouble: fc.constantFrom('none', 'none', 'reset', 'death', 'change', 'change', 'rate'),
  nth: fc.nat(5),
  phase: fc.constantFrom('before' as const, 'after' as const),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Steps for a person's two calendars, their provider, the pushes and the Worker. */
const history = fc.array(step, { minLength: 16, maxLength: 16 });

/**
 * Plays a history. After each step, a served snapshot must show the calendar as it was when the snapshot says it was
 * read, or later. If every push was heard, or a read came after every change, the snapshot must show the calendar as it
 * is now. Once all changes have stopped, the snapshot must be served.
 */
async function play(cases: Cases, steps: Step[]): Promise<void> {
  const { lab } = cases;
  const { settings } = lab.google;
  lab.begin();
  const person = await cases.person('Europe/Berlin', ['Team']);
  const { email, userId } = person;
  const [, team = ''] = person.calendars;
  const calendarOf = (which: number) => (which % 3 === 0 && person.calendars.includes(team) ? team : email);
  const kept: PushMessage[] = [];
  /** True if there was a change whose push will not arrive. */
  let isMissed = false;
  let changedAt = lab.clock.now();

  for (const one of steps) {
    await act(one);
    await cases.honest(person);
    const row = await lab.rowOf(userId);
    if (Number(row?.read_at) > changedAt && row?.synced_gen === row?.dirty_gen) isMissed = false;
    kept.push(...lab.google.takePushes());
    if (!isMissed && kept.length === 0 && (await lab.served(email)) !== undefined) await cases.agree(person);
  }
  mend();
  for (const push of kept) await lab.deliver(push);
  await lab.ask(email);
  await cases.rest();
  // A snapshot is not served without a channel that pushed. One whose greeting was lost is replaced at its end.
  for (let ticks = 0; ticks < 30 && (await lab.served(email)) === undefined; ticks++) {
    lab.advance(12 * HOUR);
    await lab.ask(email);
    await lab.tick();
    for (const push of lab.google.takePushes()) await lab.deliver(push);
  }
  await cases.agree(person);
  await lab.neon.query('delete from busy_snapshots where user_id = $1', [userId]);

  async function act(one: Step): Promise<void> {
    const { act, which } = one;
    const advance = (ms: number) => lab.advance((which % 20) * ms);
    switch (act) {
      case 'hear':
        lab.advance(which * 30);
        return hear(one);
      case 'lose':
        isMissed ||= kept.splice(0).length > 0;
        return;
      case 'keep':
        return;
      case 'forge':
        return forge(which);
      case 'tick':
        lab.advance(MINUTE);
        return lab.tick(troubled(one)).catch((error) => {
          if (one.trouble !== 'reset') throw error;
        });
      case 'ask':
        await lab.ask(email);
        return;
      case 'minutes':
        return advance(MINUTE);
      case 'hours':
        return advance(HOUR);
      case 'weeks':
        return advance(DAY);
      case 'errors':
        settings.calendarErrors.set(calendarOf(which), 'internalError');
        return;
      case 'leftOut':
        settings.calendarsLeftOut.add(calendarOf(which));
        return;
      case 'mend':
        return mend();
      case 'expire':
        return lab.google.expireAccessTokens(email);
      default:
        change(one);
    }
  }

  function mend(): void {
    for (const calendar of [email, team]) {
      settings.calendarErrors.delete(calendar);
      settings.calendarsLeftOut.delete(calendar);
    }
  }

  /** Delivers the waiting pushes in any order, some of them twice. A push is lost if its delivery breaks. */
  async function hear(one: Step): Promise<void> {
    const pushes = kept.splice(0);
    if (one.which % 3 === 0) pushes.reverse();
    if (one.which % 4 === 0) pushes.push(...pushes);
    for (const push of pushes) {
      const id = push.headers['X-Goog-Channel-ID'];
      // The channel was deleted before its push arrived, so the push cannot be heard.
      isMissed ||= (await lab.neon.query('select id from watch_channels where id = $1', [id])).length === 0;
      await lab.deliver(push, troubled(one)).then(
        (isBelieved) => {
          isMissed ||= isBelieved !== true;
        },
        () => {
          isMissed = true;
        },
      );
    }
  }

  /** Sends a push from somebody who knows a channel but not its secret. */
  async function forge(which: number): Promise<void> {
    const [channel] = await lab.neon.query('select id from watch_channels where user_id = $1', [userId]);
    const id = which % 4 === 0 ? 'push_unknown' : String(channel?.id);
    const tokens = ['', 'push_made-up', await lab.ctx.keys.create('push_')];
    const before = (await lab.rowOf(userId))?.dirty_gen;
    await lab.deliver({
      address: '',
      headers: {
        'X-Goog-Channel-ID': id,
        'X-Goog-Channel-Token': tokens[which % 3] ?? '',
        'X-Goog-Resource-State': 'exists',
        'X-Goog-Message-Number': '9999',
      },
    });
    expect((await lab.rowOf(userId))?.dirty_gen).toBe(before);
  }

  function troubled({ trouble, nth, phase: at, ...one }: Step): OnCall {
    let isOver = trouble === 'none';
    return async (call, phase) => {
      if (isOver || phase !== at || call.number < nth) return;
      if (trouble === 'reset' || trouble === 'death') {
        isOver = true;
        throw trouble === 'death' ? new Death() : new TypeError('fetch failed');
      }
      if (!call.path.endsWith('/freeBusy')) return;
      isOver = true;
      if (trouble === 'rate') return new Response(RATE_LIMITED, { status: 403 });
      lab.advance(1_000);
      change({ ...one, trouble, nth, phase, act: 'add' });
      for (const push of lab.google.takePushes()) await lab.deliver(push);
      return;
    };
  }

  /**
   * Makes a change in the person's calendars. The provider sends no push for a new time zone, for a calendar's end, or
   * for a calendar without a channel.
   */
  function change({ act, which }: Step): void {
    const start = lab.clock.now() + (which - 100) * 3 * HOUR;
    const iso = (ms: number) => new Date(ms).toISOString();
    const times = { start: iso(start), end: iso(start + ((which % 7) + 1) * 35 * MINUTE) };
    const dates = { start: times.start.slice(0, 10), end: iso(start + 2 * DAY).slice(0, 10) };
    const calendar = calendarOf(which);
    const live = lab.google.events(calendar).filter(({ status }) => status !== 'cancelled');
    const eventId = live[which % Math.max(1, live.length)]?.id ?? '';
    cases.change(person, () => {
      try {
        const hand = { email, calendar };
        if (act === 'add') lab.google.addEvent({ ...hand, ...times });
        else if (act === 'series') lab.google.addEvent({ ...hand, ...times, recurrence: ['RRULE:FREQ=WEEKLY'] });
        else if (act === 'days') lab.google.addEvent({ ...hand, ...dates });
        else if (act === 'zone')
          lab.google.setZone({ calendar, timezone: which % 2 ? 'Pacific/Apia' : 'America/Sao_Paulo' });
        else if (act === 'gone') {
          if (calendar !== team) return;
          lab.google.removeCalendar(team);
          person.calendars = [email];
        } else if (eventId === '') return;
        else if (act === 'move') lab.google.patchEvent({ ...hand, eventId, ...(which % 5 ? times : dates) });
        else if (act === 'delete') lab.google.patchEvent({ ...hand, eventId, deleted: true });
        else lab.google.patchEvent({ ...hand, eventId, transparency: which % 2 ? 'transparent' : 'opaque' });
      } catch (error) {
        // An event series with dates takes no clock time, and a series with clock times takes no date.
        if (!(error instanceof GoogleError && error.status === 400)) throw error;
      }
    });
    changedAt = lab.clock.now();
    const isWatched = lab.google.channels().some(({ calendarId }) => calendarId === calendar);
    isMissed ||= act === 'zone' || act === 'gone' || !isWatched;
  }
}
