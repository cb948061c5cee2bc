import moment from 'moment-timezone';
import type { Weekday } from '../../../../lib/engine/types.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEKDAYS: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

export interface Wall {
  date: string;
  weekday: Weekday;
  minute: number;
}

const walls = new Map<string, Map<number, Wall>>();

/** Forgets a zone, which saves memory when many zones are tested one after another. */
export function forgetZone(zone: string): void {
  walls.delete(zone);
}

export function wallAt(zone: string, instant: number): Wall {
  const minute = Math.floor(instant / MINUTE);
  let known = walls.get(zone);
  if (!known || known.size > 200_000) {
    known = new Map();
    walls.set(zone, known);
  }
  let wall = known.get(minute);
  if (!wall) {
    learnHour(zone, Math.floor(minute / 60) * 60, known);
    wall = known.get(minute) ?? askWall(zone, minute * MINUTE);
    known.set(minute, wall);
  }
  return wall;
}

/** If the first and last minute of an hour are 59 minutes apart on one date, all other minutes lie between them. */
function learnHour(zone: string, first: number, known: Map<number, Wall>): void {
  const from = askWall(zone, first * MINUTE);
  const to = askWall(zone, (first + 59) * MINUTE);
  if (to.date !== from.date || to.minute !== from.minute + 59) return;
  for (let i = 0; i < 60; i++) known.set(first + i, { ...from, minute: from.minute + i });
}

function askWall(zone: string, minute: number): Wall {
  const wall = new Date(minute - (moment.tz.zone(zone)?.utcOffset(minute) ?? Number.NaN) * MINUTE);
  return {
    date: wall.toISOString().slice(0, 10),
    weekday: WEEKDAYS[(wall.getUTCDay() + 6) % 7] ?? 'monday',
    minute: wall.getUTCHours() * 60 + wall.getUTCMinutes(),
  };
}

/** Formats an instant in ISO 8601 with the zone's offset. */
export function isoAt(zone: string, instant: number): string {
  const { date, minute } = wallAt(zone, instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${date}T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`;
  const offset = (Date.parse(`${time}Z`) - instant) / MINUTE;
  return `${time}${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
}

/** Parses HH:MM to minutes since midnight. */
export const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns the number of days from 1970 to a date. */
export const dayNumber = (date: string) => Date.parse(date) / DAY;

/** Returns true if a minute of the day lies in hours such as 09:00 to 12:00. */
export const isInHours = ({ start, end }: { start: string; end: string }, minute: number) =>
  minute >= minuteOf(start) && minute < minuteOf(end);
