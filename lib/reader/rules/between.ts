import type { Group } from './asides.ts';
import type { Item } from './scan.ts';
import { tagsAfter, tagsBefore } from './side-tags.ts';
import { sideAfter, sideBefore } from './verdicts.ts';

/**
 * Divides the words between two times of a clause: the first belong to the time before them, the others to the time
 * after. Prefers to divide at a comma or "and", and otherwise at the first place where both sides make sense. If there
 * is no such place, both times get all the words.
 */
export function split(between: Item[]): [Item[], Item[]] {
  const ways = Array.from({ length: between.length + 1 }, (_, k): [Item[], Item[]] => [
    between.slice(0, k),
    between.slice(k),
  ]);
  const divides = (k: number) => [between[k - 1], between[k]].some((item) => item && /[,&|j]/.test(item.tag));
  const makesSense = ([left, right]: [Item[], Item[]]) =>
    sideAfter(tagsAfter(left)) !== 'unknown' && sideBefore(tagsBefore(right)) !== 'unknown';
  const good = ways.map((way, k) => ({ way, k })).filter(({ way }) => makesSense(way));
  const chosen = good.find(({ k }) => divides(k)) ?? preferPredicate(good) ?? good[0];
  return chosen?.way ?? [between, between];
}

/**
 * Returns the division of the words between two times that leaves a verb and its judgment to the first time: in "Monday
 * is bad Tuesday", "is bad" belongs to Monday.
 */
function preferPredicate(ways: { way: [Item[], Item[]]; k: number }[]) {
  return ways.find(
    ({ way: [left] }) =>
      left.some(({ tag, text }) => tag === 'v' || /^(?:is|are|am|would|no$)\b/.test(text)) &&
      /[gbu]/.test(left.at(-1)?.tag ?? ''),
  );
}

/**
 * Returns true if the second of two times only says when the first one holds, as the week does in "Mornings are hard
 * this week".
 */
export function isTrailing(items: Item[], group: Group, next: Group, between: Item[], after: Item[]): boolean {
  const says = sideAfter(tagsAfter(between));
  if (says === 'none' || says === 'unknown' || says === 'told' || tagsAfter(after) !== '') return false;
  if (between.some(({ tag }) => /[,&o|j]/.test(tag))) return false;
  const kinds = [items[group.first], items[next.first]].map((item) => item?.mention?.kind);
  const isSpan = (item: Item | undefined) => item?.mention?.kind === 'days' && item.bound === undefined;
  return (
    next.first === next.last &&
    isSpan(items[next.first]) &&
    (kinds[0] === 'weekdays' || kinds[0] === 'clock' || isNamed(items[group.first]))
  );
}

/**
 * Returns true for the day of a commitment whose hour stands before it, with words in between: "on the train at 14:03
 * from Euston on Wednesday".
 */
export function isItsDay(
  items: Item[],
  group: Group,
  next: Group,
  own: { before: Item[]; after: Item[] },
  theirs: { before: Item[]; after: Item[] },
): boolean {
  const [clock, day] = [items[group.last], items[next.first]];
  return (
    /^(?:obstacle|busy)$/.test(sideBefore(tagsBefore(own.before))) &&
    own.after.length + theirs.before.length > 0 &&
    [...own.after, ...theirs.before].every(({ tag }) => /[xdfj]/.test(tag)) &&
    theirs.after.every(({ tag }) => tag === 'f') &&
    next.first === next.last &&
    clock?.mention?.kind === 'clock' &&
    day?.mention?.kind === 'days' &&
    day.bound === undefined
  );
}

const isNamed = (item: Item | undefined) => item?.mention?.kind === 'days' && item.mention.weekday !== undefined;

/**
 * Returns true for Friday in "Thursday is out and Friday", which may share the verdict on Thursday, or be what is asked
 * for.
 */
export function isHalfSaid(
  items: Item[],
  groups: Group[],
  i: number,
  sides: { before: Item[]; after: Item[] }[],
): boolean {
  const [last, own] = [groups[i - 1], groups[i]];
  if (!last || !own || tagsAfter(sides[i]?.after ?? []) !== '') return false;
  const isAgainst = /^(?:refused|busy)$/.test(sideAfter(tagsAfter(sides[i - 1]?.after ?? [])));
  return isAgainst && own.first - last.last > 1 && items[own.first - 1]?.tag === '&';
}
