import type { Clause, Item } from './clauses.ts';
import { placesOf } from './places.ts';
import type { Token } from './tokens.ts';

/** Words that a time before them is about: "on Fridays I stop at noon", and not "Friday is fine at noon". */
const FOLLOWING = /^a*[snoXkLSRhF]/;
const isSpoken = ({ tag }: Item) => tag !== 'f';
const tagsOf = (items: readonly Item[]) => items.map(({ tag }) => tag).join('');

/** "On Fridays I stop at noon" says the same as "I stop at noon on Fridays", and "and" adds to it. */
export function withFronts(clauses: readonly Clause[], tokens: readonly Token[], isReason: boolean): Clause[] {
  const all: Clause[] = [];
  let front: Item | undefined;
  for (const clause of clauses) {
    const head = /^[,:]$/.test(clause.joint) ? all.at(-1) : undefined;
    const items = clause.items.filter(isSpoken);
    const [alone, ...others] = head?.items.filter(isSpoken) ?? [];
    const isHeaded = head && alone && others.length === 0 && isHead(alone, items);
    const [first, ...after] = isHeaded ? [alone, ...items] : items;
    const isMore = front && /^(?:and|&|\+|plus)$/.test(clause.joint);
    const rest = isMore ? items : after;
    if (!isMore) front = first?.tag === 'T' && FOLLOWING.test(tagsOf(after)) ? first : undefined;
    // "Thursday, not before 10" asks for Thursday.
    const isGeneral = front?.times?.places.some((place) => place.isGeneral);
    const isAsked = isReason && !isMore && (isGeneral ? /^o/ : /^a*[no]+T/).test(tagsOf(rest));
    const whole = isHeaded
      ? { ...clause, items: [...head.items, ...clause.items], joint: head.joint, from: head.from }
      : clause;
    const item = front && !isAsked ? together(front, rest) : undefined;
    const said = rest.map((one, i) => ({
      ...(one.tag === 'T' && item ? item : one),
      ...(i === 0 && { from: whole.from }),
    }));
    all.splice(isHeaded ? -1 : all.length, isHeaded ? 1 : 0, item ? { ...whole, items: said } : whole);
  }
  return all;

  /** Returns true for a time that belongs to the clause after its comma: "on Fridays, I write". */
  function isHead(time: Item, rest: readonly Item[]): boolean {
    const parts = time.times?.segments.flat() ?? [];
    const isNamed =
      /^(?:on|in|at|during)$/.test(tokens[time.from]?.word ?? '') && !parts.some(({ day }) => day?.isSpan);
    const isOfDays = parts.every(({ day }) => day && (!isReason || day.weekdays));
    const isFree = rest.every(({ tag }) => tag !== 'T') || together(time, rest) !== undefined;
    // "On Fridays, if possible, no meetings" goes on after its second comma.
    return time.tag === 'T' && (rest.length === 0 || ((isNamed || isOfDays) && isFree && FOLLOWING.test(tagsOf(rest))));
  }
}

/** Returns the only time of a clause together with the one before it, if one of them names days and the other hours. */
function together({ times: front }: Item, rest: readonly Item[]): Item | undefined {
  const [own, ...others] = rest.filter(({ tag }) => tag === 'T');
  if (!front || !own?.times || others.length > 0 || front.isUnclear || own.times.isUnclear) return undefined;
  // "From Monday to Thursday" names these days, and no instant from which on the hours hold.
  const ahead = front.segments.map((one) =>
    one.map((each) => (each.day?.weekdays && each.bound === 'from' ? { ...each, bound: '' as const } : each)),
  );
  const [{ segments }, isOfDays] = [own.times, ahead[0]?.[0]?.day !== undefined];
  const isSound = ahead.flat().every(({ day, bound }) => bound === '' && (day !== undefined) === isOfDays);
  if (!isSound || segments.flat().some(({ day }) => (day !== undefined) === isOfDays)) return undefined;
  const places = placesOf(ahead.flatMap((one) => segments.map((other) => [...one, ...other])));
  return { ...own, times: { ...own.times, places: places ?? [], isUnclear: !places, isFronted: true } };
}
