import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { createNeon } from '../../local/neon.ts';
import { type CalendarLab, Death, type OnCall, openCalendarLab } from '../worlds/calendar-lab.ts';
import { migratedDatabase } from '../worlds/prepared.ts';

export type Cases = Awaited<ReturnType<typeof openCases>>;
export type Person = Awaited<ReturnType<CalendarLab['join']>>;

export async function openCases() {
  const lab = await openCalendarLab(await createNeon({ snapshot: await migratedDatabase() }));
  /** Free/busy states of each person's calendars, each with the time from which it held. */
  const seen = new Map<string, { from: number; edges: number[] }[]>();

  function note({ email, calendars }: Person): { from: number; edges: number[] }[] {
    const states = seen.get(email) ?? [];
    seen.set(email, states);
    const edges = lab.edges(calendars);
    if (JSON.stringify(states.at(-1)?.edges) !== JSON.stringify(edges)) states.push({ from: lab.clock.now(), edges });
    return states;
  }

  const askForAll = () =>
    lab.neon.query(
      'with asked as (update connections set last_used_at = $1) update busy_snapshots set used_at = $1, due_at = $1',
      [new Date(lab.clock.now()).toISOString()],
    );

  const date = (days: number) => new Date(lab.clock.now() + days * DAY).toISOString().slice(0, 10);

  return {
    lab,
    /** Adds a person with a calendar and further calendars of these names. */
    async person(timezone: string, summaries: string[] = []) {
      const person = await lab.join(`${randomUUID().slice(0, 8)}@cases.test`, timezone, summaries);
      note(person);
      return person;
    },
    date,
    /** Returns a span from one UTC time of a day to another. It ends `longer` days later. */
    day: (days: number, from: string, until: string, longer = 0) => ({
      start: `${date(days)}T${from}:00.000Z`,
      end: `${date(days + longer)}T${until}:00.000Z`,
    }),
    askForAll,
    /** Delivers every push, some seconds later. Then somebody asks for everybody, and the next tick reads them. */
    async hear() {
      lab.advance(11_000);
      for (const push of lab.google.takePushes()) await lab.deliver(push);
      lab.advance(1_000);
      await askForAll();
      await lab.tick();
    },
    /** Lets the world rest: delivers all pushes, and ticks until the longest back-off after a failure is over. */
    async rest() {
      for (const minutes of [20, 11, 1, 1]) {
        lab.advance(minutes * 60_000 + 1_000);
        for (const push of lab.google.takePushes()) await lab.deliver(push);
        await askForAll();
        await lab.tick();
      }
    },
    /** Checks that the snapshot is served and matches the free/busy of the person's calendars to the minute. */
    async agree({ email, calendars }: Person) {
      const served = await lab.served(email);
      expect(served?.busy).toEqual(lab.truth(...calendars));
      return served ?? { busy: [], readAt: 0 };
    },
    /** Makes a change in the person's calendar and records the new state for `honest`. */
    change(person: Person, make: () => unknown): void {
      make();
      note(person);
    },
    /**
     * Checks that a served snapshot shows a state the calendar had when the snapshot says it was read, or later. Its
     * read must be at most `longestMs` old.
     */
    async honest(person: Person, longestMs = 15 * 60_000) {
      const served = await lab.served(person.email);
      const states = seen.get(person.email) ?? [];
      if (served === undefined) return;
      expect(lab.clock.now() - served.readAt).toBeLessThanOrEqual(longestMs);
      const since = states.findLastIndex(({ from }) => from < served.readAt);
      const possible = states.slice(Math.max(0, since)).map(({ edges }) => lab.clippedNow(edges));
      expect(possible).toContainEqual(served.busy);
    },
    die:
      (nth: number, at: 'before' | 'after', told: () => unknown): OnCall =>
      ({ number }, phase) => {
        if (number !== nth || phase !== at) return;
        told();
        throw new Death();
      },
    during(path: string, at: 'before' | 'after', happen: () => Promise<unknown>): OnCall {
      let isOver = false;
      return async (call, phase) => {
        if (isOver || phase !== at || !call.path.endsWith(path)) return;
        isOver = true;
        await happen();
      };
    },
    failing:
      (path: string): OnCall =>
      (call) => {
        if (call.path === path) throw new TypeError('fetch failed');
      },
  };
}
