import { monthOf, nextMonth } from './quota.ts';

const DAY_MS = 86_400_000;

/** What a month comes to if it goes on as it began; all instants in epoch milliseconds. */
export interface Forecast {
  /** Meetings by the end of the month, were there no limit. */
  total: number;
  /** The month's last day, its first instant. */
  lastDay: number;
  /** The day on which the plan's meetings are used up, its first instant; undefined when they last. */
  usedUpOn: number | undefined;
}

/** The forecast of a UTC month from what was used so far; undefined on its first day, which tells too little. */
export function forecastOf({ used, limit, now }: { used: number; limit: number | null; now: number }) {
  const start = Date.parse(`${monthOf(now)}-01T00:00:00Z`);
  const end = nextMonth(now);
  if (now - start < DAY_MS) return undefined;
  const pace = used / (now - start);
  const total = Math.round(pace * (end - start));
  const isOver = limit !== null && total > limit && used < limit;
  const forecast: Forecast = {
    total,
    lastDay: end - DAY_MS,
    usedUpOn: isOver ? Math.floor((start + limit / pace) / DAY_MS) * DAY_MS : undefined,
  };
  return forecast;
}
