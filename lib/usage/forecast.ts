import { DAY } from '../engine/time/dates.ts';
import { monthOf, nextMonth } from './quota.ts';

/** Forecast of a month's meetings if they continue at the pace so far. All instants are epoch milliseconds. */
export interface Forecast {
  /** Number of meetings that the whole month would have if the plan had no limit. */
  total: number;
  /** First instant of the last day of the month that the forecast is about. */
  lastDay: number;
  /** At the present pace. Undefined if the plan's meetings last until the end of the month. */
  usedUpOn: number | undefined;
}

/** Returns undefined on the first day of the UTC month, which is too short for a forecast. */
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
