import moment from 'moment-timezone';
import { changesOf } from '../../../zones/table.ts';

export interface Transition {
  zone: string;
  /** First instant with the new offset. */
  at: number;
  /** Local date of the last instant with the old offset. */
  date: string;
}

/** Returns every zone of the tz database, with every change of its offset in 2026 and 2027, as the package has them. */
export function everyTransition(): Map<string, Transition[]> {
  return new Map(moment.tz.names().map((zone) => [zone, transitionsOf(zone)]));
}

function transitionsOf(zone: string): Transition[] {
  const rules = moment.tz.zone(zone) ?? { untils: [], offsets: [] };
  return changesOf(rules, Date.UTC(2026, 0), Date.UTC(2028, 0)).map(({ at }) => ({
    zone,
    at,
    date: moment.tz(at - 1, zone).format('YYYY-MM-DD'),
  }));
}
