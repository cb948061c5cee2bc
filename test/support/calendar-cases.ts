import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createNeon } from '../local/neon.ts';
import { type CalendarLab, Death, type OnCall, openCalendarLab } from './calendar-lab.ts';
import { migratedDatabase } from './prepared.ts';

const DAY = 86_400_000;

export type Cases = Awaited<ReturnType<typeof openCases>>;
export type Person = Awaited<ReturnType<CalendarLab['join']>>;

/** A lab, with what the cases of a synced calendar have in common. */
export async function openCases() {
  const lab = await openCalendarLab(await createNeon({ snapshot: await migratedDatabase() }));
  /** What each calendar's free/busy said, and from when on. */
  const seen = new Map<string, { from: number; edges: number[] }[]>();

  function note({ email, calendars }: Person): { from: number; edges: number[] }[] {
    const states = seen.get(email) ?? [];
    seen.set(email, states);
    const edges = lab.edges(calendars);
    if (JSON.stringify(states.at(-1)?.edges) !== JSON.stringify(edges)) states.push({ from: lab.clock.now(), edges });
    return states;
  }

  const date = (days: number) => new Date(lab.clock.now() + days * DAY).toISOString().slice(0, 10);

  return {
    lab,
    /** Somebody with a calendar and, by these names, further ones. */
    async person(timezone: string, summaries: string[] = []) {
      const person = await lab.join(`${randomUUID().slice(0, 8)}@cases.test`, timezone, summaries);
      note(person);
      return person;
    },
    /** A date so many days from now. */
    date,
    /** From one time of that day (UTC) to another, of a later day when told. */
    day: (days: number, from: string, until: string, longer = 0) => ({
      start: `${date(days)}T${from}:00.000Z`,
      end: `${date(days + longer)}T${until}:00.000Z`,
    }),
    /** Every push is delivered, some seconds later, and a minute's tick follows where there were several. */
    async hear() {
      lab.advance(11_000);
      const pushes = lab.google.takePushes();
      for (const push of pushes) await lab.deliver(push);
      if (pushes.length === 1) return;
      lab.advance(1_000);
      await lab.tick();
    },
    /** Nothing changes any more and nothing fails: all pushes, and ticks until the longest pause after a failure is over. */
    async rest() {
      for (const minutes of [20, 11, 1, 1]) {
        lab.advance(minutes * 60_000 + 1_000);
        for (const push of lab.google.takePushes()) await lab.deliver(push);
        await lab.tick();
      }
    },
    /** The snapshot is served, and is what the own free/busy of the person's calendars says, to the minute. */
    async agree({ email, calendars }: Person) {
      const served = await lab.served(email);
      expect(served?.busy).toEqual(lab.truth(...calendars));
      return served ?? { busy: [], readAt: 0 };
    },
    /** What a person does in their calendar, kept for `honest`. */
    change(person: Person, make: () => unknown): void {
      make();
      note(person);
    },
    /** If the snapshot is served, then as the calendar was when it says it was read or later, no longer ago than that. */
    async honest(person: Person, longestMs = 15 * 60_000) {
      const served = await lab.served(person.email);
      const states = seen.get(person.email) ?? [];
      if (served === undefined) return;
      expect(lab.clock.now() - served.readAt).toBeLessThanOrEqual(longestMs);
      const since = states.findLastIndex(({ from }) => from < served.readAt);
      const possible = states.slice(Math.max(0, since)).map(({ edges }) => lab.clippedNow(edges));
      expect(possible).toContainEqual(served.busy);
    },
    /** The Worker dies at its nth call. */
    die:
      (nth: number, at: 'before' | 'after', told: () => unknown): OnCall =>
      ({ number }, phase) => {
        if (number !== nth || phase !== at) return;
        told();
        throw new Death();
      },
    /** Something happens at the first call of a path. */
    during(path: string, at: 'before' | 'after', happen: () => Promise<unknown>): OnCall {
      let isOver = false;
      return async (call, phase) => {
        if (isOver || phase !== at || !call.path.endsWith(path)) return;
        isOver = true;
        await happen();
      };
    },
    /** Calls of a path find nobody. */
    failing:
      (path: string): OnCall =>
      (call) => {
        if (call.path === path) throw new TypeError('fetch failed');
      },
    /** Calls of a path get this answer. */
    answering:
      (path: string, answer: Response): OnCall =>
      (call, phase) =>
        call.path === path && phase === 'after' ? answer.clone() : undefined,
  };
}
