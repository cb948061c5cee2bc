import type { Context } from 'hono';
import { createContext, useContext } from 'hono/jsx';
import { sayDate } from '../../lib/engine/time/dates.ts';
import { formatInZone, knownZone, localDate } from '../../lib/engine/time/zone.ts';
import type { AppEnv } from '../http/env.ts';
import { keepCookie, readCookie } from './session-cookie.ts';

const COOKIE = 'tandem_zone';
const COOKIE_SECONDS = 365 * 86_400;

export type Clock = { zone: string; now: number };

export const PageClock = createContext<Clock>({ zone: 'UTC', now: 0 });

/** True on a page whose reader counts twelve hours. The documentation and the dashboard count 24, as the API does. */
export const TwelveHours = createContext(false);

/** Returns true if the browser's first language counts twelve hours, as en-US does and en-GB does not. */
export function countsTwelve(c: Context<AppEnv>): boolean {
  const [first = ''] = (c.req.header('Accept-Language') ?? '').split(/[,;]/);
  try {
    const [known] = Intl.DateTimeFormat.supportedLocalesOf(first.trim());
    return known !== undefined && new Intl.DateTimeFormat(known, { hour: 'numeric' }).resolvedOptions().hour12 === true;
  } catch {
    return false;
  }
}

/** Writes a text's clock times as the page's reader counts: "15:45", or "3:45 PM". What somebody said stays in quotes. */
export function asRead(text: string): string {
  if (!useContext(TwelveHours)) return text;
  return text.replaceAll(/“[^”]*”|(?<![+-])\b(\d\d?):(\d\d)/g, (as, hour?: string, minute?: string) =>
    hour === undefined ? as : `${Number(hour) % 12 || 12}:${minute} ${Number(hour) % 24 < 12 ? 'AM' : 'PM'}`,
  );
}

const chosenZone = (c: Context<AppEnv>) => knownZone(readCookie(c, COOKIE) ?? '');

export const hasZone = (c: Context<AppEnv>): boolean => chosenZone(c) !== undefined;

export const clockOf = (c: Context<AppEnv>): Clock => ({ zone: chosenZone(c) ?? 'UTC', now: c.var.ctx.clock.now() });

/** Keeps the chosen zone in this browser for a year. It is kept nowhere else, because it is nobody's data. */
export const keepZone = (c: Context<AppEnv>, zone: string) => keepCookie(c, COOKIE, zone, COOKIE_SECONDS);

type Format = { isExact?: boolean; zone?: string | undefined };

/** "Wed 2 Dec, 15:00". Adds the year if it is not the present one, and the seconds if `isExact`. */
export const atOf = (ms: number, { zone, now }: Clock, { isExact = false }: Format = {}) =>
  `${dayOf(ms, { zone, now })}, ${timeOf(ms, zone, isExact)}`;

/** "Wed 2 Dec, 15:00 to 15:30", and for another zone "Wed 2 Dec, 10:00 to 10:30 (America/New_York)". */
export function spanOf(start: number, end: number, clock: Clock, { zone = clock.zone }: Format = {}): string {
  const own = { ...clock, zone };
  const isOneDay = dayOf(start, own) === dayOf(end, own);
  const until = isOneDay ? timeOf(end, zone) : atOf(end, own);
  return `${atOf(start, own)} to ${until}${zone === clock.zone ? '' : ` (${zone})`}`;
}

const timeOf = (ms: number, zone: string, isExact = false) => formatInZone(zone, ms).slice(11, isExact ? 19 : 16);

export function dayOf(ms: number, { zone, now }: Clock): string {
  const date = localDate(zone, ms);
  const year = date.slice(0, 4);
  const day = sayDate(date).replaceAll(/(\p{L}{3})\p{L}*,?/gu, '$1');
  return localDate(zone, now).startsWith(year) ? day : `${day} ${year}`;
}

const exactly = (ms: number) => {
  const iso = new Date(ms).toISOString();
  return { datetime: iso, title: iso };
};

export const At = ({ ms, isExact = false }: { ms: number; isExact?: boolean }) => (
  <time {...exactly(ms)}>{atOf(ms, useContext(PageClock), { isExact })}</time>
);

export const Span = ({ start, end, zone }: { start: number; end: number; zone?: string | undefined }) => (
  <time {...exactly(start)}>{spanOf(start, end, useContext(PageClock), { zone })}</time>
);

export const Ago = ({ ms }: { ms: number }) => <time {...exactly(ms)}>{agoOf(ms, useContext(PageClock).now)}</time>;

function agoOf(ms: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - ms) / 1000));
  if (seconds < 60) return 'less than a minute ago';
  if (seconds < 3600) return ago(seconds / 60, 'minute');
  return seconds < 172_800 ? ago(seconds / 3600, 'hour') : ago(seconds / 86_400, 'day');
}

const ago = (units: number, unit: string) => `${Math.floor(units)} ${unit}${Math.floor(units) === 1 ? '' : 's'} ago`;
