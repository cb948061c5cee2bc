export interface Transition {
  zone: string;
  /** First instant with the new offset. */
  at: number;
  /** Local date of the last instant with the old offset. */
  date: string;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * Returns every zone that the runtime knows, with every change of its offset in 2026 and 2027, found with plain Intl.
 */
export function everyTransition(): Map<string, Transition[]> {
  return new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone, transitionsOf(zone)]));
}

function transitionsOf(zone: string): Transition[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsetAt = (instant: number) => format.format(instant).split('GMT')[1];
  const transitions: Transition[] = [];
  let offset = offsetAt(Date.UTC(2026, 0, 1));
  for (let from = Date.UTC(2026, 0, 1); from < Date.UTC(2028, 0, 1); from += DAY) {
    const next = offsetAt(from + DAY);
    if (offset === next) continue;
    let before = from;
    let after = from + DAY;
    while (after - before > MINUTE) {
      const middle = Math.round((before + after) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle) === offset) before = middle;
      else after = middle;
    }
    transitions.push({ zone, at: after, date: format.format(before).slice(0, 10) });
    offset = next;
  }
  return transitions;
}
