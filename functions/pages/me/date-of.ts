import { useContext } from 'hono/jsx';
import { dayOf, PageClock } from '../clock.tsx';

/** "Wed 3 Mar", or "Wed 3 Mar 2027" if the year is not the present one. In UTC, or in `zone` if it is known. */
export function dateOf(instant: number, zone?: string): string {
  const clock = useContext(PageClock);
  return dayOf(instant, { ...clock, zone: zone ?? clock.zone });
}
