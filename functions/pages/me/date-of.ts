import { useContext } from 'hono/jsx';
import { dayOf, PageClock } from '../clock.tsx';

/**
 * Formats an instant as its date, as the dashboard does: "Wed 3 Mar", or "Wed 3 Mar 2027" if the year is not the present
 * one. The date is in UTC, or in `zone` if the page knows the person's time zone.
 */
export function dateOf(instant: number, zone?: string): string {
  const clock = useContext(PageClock);
  return dayOf(instant, { ...clock, zone: zone ?? clock.zone });
}
