import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, ClockSpan, Rule } from '../../engine/wish/reading.ts';
import type { Clause } from './clauses.ts';
import type { Part } from './parts.ts';

const ALWAYS =
  /\b(?:never|always|usually|generally|normally|typically|in general|every|each|these days|nowadays|from now on|going forwards?|in (?:the )?future|do not do|ever)\b/;
const PLURAL =
  /(?:days|calls|meetings|starts|slots|person|people|mornings|afternoons|evenings|lunchtimes|lunches|weekends|nights)\b/;
const SOFTLY =
  /\b(?:rather|prefer|preferably|ideally|if possible|avoid|not a|not great|not ideal|not the best|unless|try|hard|harder|tough|tricky|rough|difficult|less|worse|not (?:really )?good|hate|dislike|tired|useless|struggle|drain|drains)\b/;

/** How to take a text: a `reason` is a wish for one meeting, and a `context` holds for all meetings. */
export type Purpose = 'reason' | 'context';

/**
 * Returns true if a time is spoken of in general: "never on Mondays", "mornings are hard". In a reason, what is said of
 * one date or one week holds for this meeting only.
 */
export function isGeneral(boxes: readonly Box[], { items }: Part, clause: Clause, purpose: Purpose): boolean {
  if (purpose === 'context') return true;
  if (
    items.some(
      ({ mention, text }) =>
        mention?.kind === 'days' && !(mention.weekday !== undefined && isAlways(clause) && !/this|next/.test(text)),
    )
  )
    return false;
  if (boxes.some(({ weekdays }) => weekdays !== undefined)) return true;
  return items.some(({ text }) => PLURAL.test(text)) || isAlways(clause);
}

const always = new WeakMap<Clause, boolean>();

/**
 * Returns true if a clause speaks of every time, as "never" and "usually" do. Remembers the answer for each clause,
 * because it is asked again for every time that the clause names.
 */
function isAlways(clause: Clause): boolean {
  const known = always.get(clause) ?? ALWAYS.test(wordsOf(clause));
  always.set(clause, known);
  return known;
}

const wordsOf = ({ items }: Clause) => items.map(({ text }) => text).join(' ');

/**
 * Returns the standing rules that refused times make, such as "never on Fridays". Their verdict is `never`. It is
 * `rather_not` if words such as "ideally" soften the refusal and `isFirm` is false.
 */
export function rulesAgainst(boxes: readonly Box[], clause: Clause, quote: string, isFirm: boolean): Rule[] {
  const verdict = !isFirm && SOFTLY.test(wordsOf(clause)) ? 'rather_not' : 'never';
  return boxes.flatMap((box) => {
    const times = timesOf(box);
    return times === undefined ? [] : [{ kind: 'times' as const, verdict, ...times, quote }];
  });
}

/**
 * Returns the standing rules that wanted times make. They prefer these times. If `isOnly` is true, they rule out all
 * other times instead: "only in the mornings" rules out afternoons.
 */
export function rulesFor(boxes: readonly Box[], isOnly: boolean, quote: string): Rule[] {
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
    if (hours === '[]') return days.length === 0 ? [] : [{ kind: 'times', verdict: 'never', ...on, quote }];
    let from = 0;
    return [...JSON.parse(hours), [DAY_MINUTES, DAY_MINUTES]].flatMap(([start, end]): Rule[] => {
      const clock = { from, to: start };
      from = Math.max(from, end);
      return clock.from < clock.to ? [{ kind: 'times', verdict: 'never', ...on, clock, quote }] : [];
    });
  });
}

const WHOLE_DAY: ClockSpan = { from: 0, to: DAY_MINUTES };

/** Returns the rules of "on Thursdays only after 2", which rules out the other hours of those days. */
export function rulesWithin(boxes: readonly Box[], quote: string): Rule[] {
  return boxes.flatMap((box) => {
    const { weekdays, clock = { from: 0, to: DAY_MINUTES } } = timesOf(box) ?? {};
    const spans = [
      { from: 0, to: clock.from },
      { from: clock.to, to: DAY_MINUTES },
    ].filter(({ from, to }) => from < to);
    return spans.map((span): Rule => ({ kind: 'times', verdict: 'never', weekdays, clock: span, quote }));
  });
}

/**
 * Reduces days and hours to recurring weekdays and hours, for a rule about times in general. The dates of a span of up
 * to seven days count as their weekdays. Returns undefined for a longer or open span.
 */
function timesOf({ dates, weekdays, clock }: Box): { weekdays?: number[]; clock?: ClockSpan } | undefined {
  const named = dates?.map(({ first, last }) =>
    first !== undefined && last !== undefined && last - first < 7 ? { first, last } : undefined,
  );
  if (named?.some((span) => span === undefined)) return undefined;
  const ofDates = named?.flatMap((span) =>
    span ? Array.from({ length: span.last - span.first + 1 }, (_, i) => weekdayIndex(span.first + i)) : [],
  );
  const all = weekdays ?? ofDates;
  return { ...(all && { weekdays: [...new Set(all)].sort((a, b) => a - b) }), ...(clock && { clock }) };
}
