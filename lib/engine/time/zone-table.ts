import { DAY, formatMinute, MINUTE, parseDate } from './dates.ts';
import table from './zone-table.json' with { type: 'json' };

// The table is text, so that a Worker starts without parsing it.
// - `zones`: for each clock the names of its zones, each between two spaces, and its offsets from UTC in quarters of an
//   hour. The first offset holds from the table's first day on. Each other one is followed by ":" and the number of quarters of
//   an hour from the change before it (or the table's start) to the change to it.
// - `abbreviations`: for each abbreviation that names no zone, those that people mean by it, with the most people first.
// Clocks and abbreviations are separated by "|". All numbers are in base 36.

/** A span of instants over which a zone's offset from UTC stays constant. All values are in ms. */
export interface OffsetSpan {
  start: number;
  end: number;
  offset: number;
  /** The offset from UTC in ISO 8601, such as +02:00. */
  text: string;
}

/** Release of the tz database that the table has, the date on which it appeared, and the last date in the table. */
export const ZONES_RELEASE = { name: table.release, date: table.released, knownUntil: table.last };

const startOf = (date: string): number => (parseDate(date) ?? Number.NaN) * DAY;

/** Age at which a release counts as old. The database has had a release every three months on average. */
const OLD = 180 * DAY;

export const areZonesOld = (now: number): boolean => now - startOf(table.released) > OLD;

export const ZONES_KNOWN = { start: startOf(table.first), end: startOf(table.last) + DAY };

const QUARTER = 15 * MINUTE;
const LOWER = table.zones.toLowerCase();

/** Takes the name in any letter case. Returns the tz database's spelling, and the offsets that the table covers. */
export function readZone(given: string): { name: string; spans: OffsetSpan[] } | undefined {
  if (!/^[A-Za-z][\w+/-]*$/.test(given)) return undefined;
  const at = LOWER.indexOf(` ${given.toLowerCase()} `) + 1;
  if (at === 0) return undefined;
  const end = table.zones.indexOf('|', at);
  const line = table.zones.slice(at, end < 0 ? undefined : end);
  return { name: line.slice(0, given.length), spans: readSpans(line.slice(line.lastIndexOf(' ') + 1)) };
}

export const zoneNames = (): string[] => table.zones.split('|').flatMap((line) => line.split(' ').slice(1, -1));

/** Returns the zones that people mean by an abbreviation, such as "PST", or undefined if nobody writes it. */
export function zonesShortened(abbreviation: string): string[] | undefined {
  const given = abbreviation.toLowerCase();
  const lines = table.abbreviations.split('|').map((line) => line.split(' '));
  return lines.find(([short]) => short?.toLowerCase() === given)?.slice(1);
}

function readSpans(written: string): OffsetSpan[] {
  let start = ZONES_KNOWN.start;
  const changes = written.split(',').map((one) => {
    const [offset = '', since = '0'] = one.split(':');
    start += Number.parseInt(since, 36) * QUARTER;
    return { start, offset: Number.parseInt(offset, 36) * QUARTER };
  });
  return changes.map((change, i) => spanOf({ ...change, end: changes[i + 1]?.start ?? ZONES_KNOWN.end }));
}

export function spanOf(span: Omit<OffsetSpan, 'text'>): OffsetSpan {
  const minutes = Math.floor(Math.abs(span.offset) / MINUTE);
  return { ...span, text: `${span.offset < 0 ? '-' : '+'}${formatMinute(minutes)}` };
}
