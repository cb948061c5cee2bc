import { DAY } from '../engine/time/dates.ts';
import { monthOf, nextMonth } from './quota.ts';

/** Forecast of a month's meetings if they continue at the pace so far. All instants are epoch milliseconds. */
export interface Forecast {
  /** Number of meetings by the end of the month if the plan had no limit. */
  total: number;
  /** First instant of the month's last day. */
  lastDay: number;
  /** First instant of the day on which the plan's meetings run out, or undefined if they last. */
  usedUpOn: number | undefined;
}

/**
 * Forecasts a UTC month's meetings from those booked so far. Returns undefined on the first day, which is too short for
 * a forecast.
 */
export function forecastOf({ used, limit, now }: { used: number; limit: number | null; now: number }) {
  const start = Date.parse(`${monthOf(now)}-01T00:00:00Z`);
  const end = nextMonth(now);
  if (now - start < DAY) return undefined;
  const pace = used / (now - start);
  const total = Math.round(pace * (end - start));
  const isOver = limit !== null && total > limit && used < limit;
  const forecast: Forecast = {
    total,
    lastDay: end - DAY,
    usedUpOn: isOver ? Math.floor((start + limit / pace) / DAY) * DAY : undefined,
  };
  return forecast;
}
