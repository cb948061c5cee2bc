import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, ClockSpan, Rule } from '../../engine/wish/reading.ts';

const WHOLE_DAY: ClockSpan = { from: 0, to: DAY_MINUTES };

export function rulesAgainst(boxes: readonly Box[], quote: string, isSoft: boolean): Rule[] {
  const verdict = isSoft ? 'rather_not' : 'never';
  return boxes.flatMap((box) => timesOf(box) ?? []).map((one) => ({ kind: 'times', verdict, ...one, quote }));
}

/** Wanted times are preferred. `isOnly` rules out all others, and with `isWithin` only those of the same days. */
export function rulesFor(boxes: readonly Box[], isOnly: boolean, quote: string, isWithin = false): Rule[] {
  const times = boxes.flatMap((box) => timesOf(box) ?? []);
  if (!isOnly) return times.map((one) => ({ kind: 'times', verdict: 'prefer', ...one, quote }));
  if (times.length === 0) return [];
  const daysWith = new Map<string, number[]>([['[]', []]]);
  for (let day = 0; day < 7; day++) {
    const open = times.flatMap(({ weekdays, clock = WHOLE_DAY }) =>
      (weekdays?.includes(day) ?? true) ? [[clock.from, clock.to]] : [],
    );
    const hours = JSON.stringify(open.sort(([a = 0], [b = 0]) => a - b));
    daysWith.set(hours, [...(daysWith.get(hours) ?? []), day]);
  }
  return [...daysWith].flatMap(([hours, days]) => {
    const on = days.length < 7 ? { weekdays: days } : {};
    if (hours === '[]') return days.length === 0 || isWithin ? [] : [{ kind: 'times', verdict: 'never', ...on, quote }];
    let from = 0;
    return [...JSON.parse(hours), [DAY_MINUTES, DAY_MINUTES]].flatMap(([start, end]): Rule[] => {
      const clock = { from, to: start };
      from = Math.max(from, end);
      return clock.from < clock.to ? [{ kind: 'times', verdict: 'never', ...on, clock, quote }] : [];
    });
  });
}

/** The dates of a span of less than a week count as their weekdays. Returns undefined for a longer or open span. */
function timesOf({ dates, weekdays, clock }: Box): { weekdays?: number[]; clock?: ClockSpan } | undefined {
  const named = dates?.map(({ first = 0, last = Number.POSITIVE_INFINITY }) =>
    last - first < 6 ? Array.from({ length: last - first + 1 }, (_, i) => weekdayIndex(first + i)) : undefined,
  );
  if (named?.includes(undefined)) return undefined;
  const all = weekdays ?? named?.flatMap((days) => days ?? []);
  return { ...(all && { weekdays: [...new Set(all)].sort((a, b) => a - b) }), ...(clock && { clock }) };
}
