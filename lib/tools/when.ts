import * as z from 'zod';
import { listConnectedPeople } from '../../schema/people/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { isoUtc } from '../meetings/answers.ts';
import { WEEKDAYS, weekdayIndex } from '../scheduling/dates.ts';
import type { Interval, Slot } from '../scheduling/types.ts';
import { formatInZone, isTimeZone, localDay } from '../scheduling/zone.ts';
import { wholePreferences } from '../users/person.ts';
import { capitalized } from '../wording/people.ts';

/** Somebody on whose clock a time is told; without a zone it is not known to the caller. */
export interface Zoned {
  email: string;
  timeZone: string | undefined;
}

/** A time exactly as booked: in UTC, and on each person's clock with offset, zone and weekday. */
export const when = {
  start_utc: z.string(),
  end_utc: z.string(),
  local: z.array(z.record(z.string(), z.string())),
};
const When = z.object(when);
export interface When extends z.infer<typeof When> {
  local: ({ email: string } | LocalTime)[];
}
type LocalTime = Record<'email' | 'timezone' | 'weekday' | 'start' | 'end', string>;

/** A time as a client is to send it. */
export const time = z.iso.datetime({ offset: true });

export const toWhen = ({ start, end }: Interval, people: readonly Zoned[]): When => ({
  start_utc: isoUtc(start),
  end_utc: isoUtc(end),
  local: people.map(({ email, timeZone }) =>
    timeZone === undefined
      ? { email }
      : {
          email,
          timezone: timeZone,
          weekday: weekdayIn(start, timeZone),
          start: formatInZone(timeZone, start),
          end: formatInZone(timeZone, end),
        },
  ),
});

/** The same to a reader: "Tuesday 2026-11-24, 16:00 to 16:30 for ada@example.com (Europe/Berlin, +01:00); …; in UTC … to …". */
export function sayWhen({ start_utc, end_utc, local }: When): string {
  const clocks = local.flatMap((person) => {
    if (!('start' in person)) return [];
    const { email, timezone, weekday, start, end } = person;
    const until =
      end.slice(0, 10) === start.slice(0, 10) ? end.slice(11, 16) : `${end.slice(0, 10)} ${end.slice(11, 16)}`;
    const [from, to] = [start.slice(19), end.slice(19)];
    const offset = from === to ? from : `${from}, then ${to}`;
    return [
      `${weekday} ${start.slice(0, 10)}, ${start.slice(11, 16)} to ${until} for ${email} (${timezone}, ${offset})`,
    ];
  });
  return [...clocks, `in UTC ${start_utc} to ${end_utc}`].join('; ');
}

export const whenOfSlot = ({ start, end, attendees }: Slot): When =>
  toWhen(
    { start, end },
    attendees.map(({ email, timezone }) => ({ email, timeZone: timezone })),
  );

/** These people's zones, as far as they are connected with the platform. */
export async function zonesOf(ctx: Ctx, platform: Platform, emails: string[]): Promise<Zoned[]> {
  const people = await listConnectedPeople(ctx.db, { platformId: platform.id, emails });
  return emails.map((email) => {
    const person = people.find((one) => one.email === email);
    return { email, timeZone: person && knownZone(wholePreferences(person).timeZone) };
  });
}

const weekdayIn = (instant: number, timeZone: string) =>
  capitalized(WEEKDAYS[weekdayIndex(localDay(timeZone, instant))] ?? '');

export const knownZone = (timeZone: string) => (isTimeZone(timeZone) ? timeZone : undefined);
