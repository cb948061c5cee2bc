import * as z from 'zod';
import { isoUtc } from '../../schema/answers/meeting-answers.ts';
import type { ReadWhen } from '../availability/asked-times.ts';
import { WEEKDAYS, weekdayIndex } from '../engine/time/dates.ts';
import { formatInZone, localDay } from '../engine/time/zone.ts';
import type { Interval, Slot } from '../engine/types.ts';
import type { Ctx, Platform } from '../kit/context.ts';
import { loadConnected } from '../person/person.ts';
import { say } from '../words/patterns.ts';
import { capitalized, listed, whenForBoth } from '../words/people.ts';
import { sayReading } from '../words/understood.ts';

export type Zoned = { email: string; timeZone: string | undefined };

/** Output fields that give a booked time in UTC, and on each person's clock with UTC offset, zone and weekday. */
export const when = { start_utc: z.string(), end_utc: z.string(), local: z.array(z.record(z.string(), z.string())) };
const When = z.object(when);
export interface When extends z.infer<typeof When> {
  local: ({ email: string } | LocalTime)[];
}
type LocalTime = Record<'email' | 'timezone' | 'weekday' | 'start' | 'end', string>;

export const time = z.iso.datetime({ offset: true });

/** The answer of a tool that changes something has all its fields only once that is done. */
export const outcome = <const Done extends string, Fields extends z.ZodRawShape, More extends z.ZodRawShape>(
  done: Done,
  fields: Fields,
  more: More,
) => z.object({ status: z.enum([done, 'preview', 'declined']), ...z.object(fields).partial().shape, ...more });

export const toWhen = ({ start, end }: Interval, people: readonly Zoned[]): When => ({
  start_utc: isoUtc(start),
  end_utc: isoUtc(end),
  local: people.map(({ email, timeZone }) =>
    timeZone === undefined
      ? { email }
      : {
          email,
          timezone: timeZone,
          weekday: capitalized(WEEKDAYS[weekdayIndex(localDay(timeZone, start))] ?? ''),
          start: formatInZone(timeZone, start),
          end: formatInZone(timeZone, end),
        },
  ),
});

/** "Tuesday 2026-11-24, 16:00 to 16:30 for ada@example.com (Europe/Berlin, +01:00); …; in UTC … to …" */
export function sayWhen({ start_utc, end_utc, local }: When): string {
  const clocks = local.flatMap((person) => {
    if (!('start' in person)) return [];
    const { email, timezone, weekday, start, end } = person;
    const until =
      end.slice(0, 10) === start.slice(0, 10) ? end.slice(11, 16) : `${end.slice(0, 10)} ${end.slice(11, 16)}`;
    const [from, to] = [start.slice(19), end.slice(19)];
    const offset = from === to ? from : say('agent.offsets', { before: from, after: to });
    const date = start.slice(0, 10);
    return [say('agent.time', { weekday, date, from: start.slice(11, 16), to: until, email, zone: timezone, offset })];
  });
  return [...clocks, say('agent.utc', { from: start_utc, to: end_utc })].join('; ');
}

/** "Tuesday, 8 December at 10:00 in Berlin, 9:00 in London", or as `sayWhen` says it if no clock is known. */
export function asked(at: When): { who: string; when: string } {
  const who = listed(at.local.map(({ email }) => email));
  const zoned = at.local.flatMap((one) => ('timezone' in one ? { email: one.email, timeZone: one.timezone } : []));
  const [first, second] = zoned;
  if (first === undefined) return { who, when: sayWhen(at) };
  const other = second ?? { ...first, isClockUnknown: true };
  return { who, when: whenForBoth(Date.parse(at.start_utc), [first, other]) };
}

export const whenOf = ({ start_time, end_time }: { start_time: string; end_time: string }, people: readonly Zoned[]) =>
  toWhen({ start: Date.parse(start_time), end: Date.parse(end_time) }, people);

export const whenOfSlot = ({ start, end, attendees }: Slot): When =>
  toWhen(
    { start, end },
    attendees.map(({ email, timezone }) => ({ email, timeZone: timezone })),
  );

/** The zone is undefined for a person who is not connected to the platform. */
export async function zonesOf(ctx: Ctx, platform: Platform, emails: string[]): Promise<Zoned[]> {
  const people = await loadConnected(ctx, platform, emails);
  return emails.map((email) => ({ email, timeZone: people.find((one) => one.email === email)?.timeZone }));
}

/** The answer's text says the same in words. */
export const readParts = {
  understood: z.array(z.unknown()).optional(),
  not_understood: z.array(z.string()).optional(),
};

export const readData = (read: ReadWhen | undefined) => ({
  understood: read?.understood,
  not_understood: read?.notUnderstood,
});

export const readText = (read: ReadWhen | undefined): string[] =>
  read === undefined ? [] : [sayReading(read.understood, read.notUnderstood)];

export const timeRanges = z.array(z.object({ start: z.string(), end: z.string() })).optional();
