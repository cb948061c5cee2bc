import fc from 'fast-check';
import { expect } from 'vitest';
import type { PushMessage } from '../local/google/channels.ts';
import { GoogleError } from '../local/google/errors.ts';
import type { Cases } from './calendar-cases.ts';
import { Death, type OnCall } from './calendar-lab.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RATE_LIMITED = '{"error":{"code":403,"errors":[{"domain":"usageLimits","reason":"rateLimitExceeded"}]}}';

const step = fc.record({
  act: fc.constantFrom(
    ...(['add', 'add', 'series', 'days', 'move', 'move', 'delete', 'free', 'zone', 'gone'] as const),
    ...(['hear', 'hear', 'hear', 'hear', 'lose', 'keep', 'forge'] as const),
    ...(['tick', 'tick', 'tick', 'minutes', 'hours', 'weeks', 'ask', 'errors', 'leftOut', 'mend', 'expire'] as const),
  ),
  which: fc.nat(1_000),
  /** What breaks while the product is at it, at its nth call, before or after the work. */
  trouble: fc.constantFrom('none', 'none', 'reset', 'death', 'change', 'change', 'rate'),
  nth: fc.nat(5),
  phase: fc.constantFrom('before' as const, 'after' as const),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a person's two calendars, their provider, the pushes and the Worker go through. */
export const history = fc.array(step, { minLength: 16, maxLength: 16 });

/**
 * Plays a history. After each step holds that nothing is served but what the calendar was when it is said to have been
 * read, or later; that it is what the calendar is now, where every push was heard or a read came after every change; and in
 * the end, when nothing happens any more, that it is served.
 */
export async function play(cases: Cases, steps: Step[]): Promise<void> {
  const { lab } = cases;
  const { settings } = lab.google;
  lab.begin();
  const person = await cases.person('Europe/Berlin', ['Team']);
  const { email, userId } = person;
  const [, team = ''] = person.calendars;
  const calendarOf = (which: number) => (which % 3 === 0 && person.calendars.includes(team) ? team : email);
  const kept: PushMessage[] = [];
  /** Whether there was a change whose push will not come. */
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
  // Where no push vouches for a snapshot it serves for a minute, and the ticks that renew it are a little further apart.
  for (let ticks = 0; ticks < 2 && (await lab.served(email)) === undefined; ticks++) {
    lab.advance(MINUTE);
    await lab.tick();
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

  /** Delivers what waits, in any order, some of it twice; what breaks on its way is lost. */
  async function hear(one: Step): Promise<void> {
    const pushes = kept.splice(0);
    if (one.which % 3 === 0) pushes.reverse();
    if (one.which % 4 === 0) pushes.push(...pushes);
    for (const push of pushes) {
      const id = push.headers['X-Goog-Channel-ID'];
      // A channel that opened when nobody could hear it any more.
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

  /** Somebody who knows a channel, but not its secret, says that something changed. */
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

  /** What the person does in their calendars; of a new zone or an end no push tells, nor of anything without a channel. */
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
        // A series of dates takes no clock time, and the other way round.
        if (!(error instanceof GoogleError && error.status === 400)) throw error;
      }
    });
    changedAt = lab.clock.now();
    const isWatched = lab.google.channels().some(({ calendarId }) => calendarId === calendar);
    isMissed ||= act === 'zone' || act === 'gone' || !isWatched;
  }
}
