import { isPlace } from './group.ts';
import { withoutObjects } from './objects.ts';
import { ranged } from './ranges.ts';
import { type Item, isMarked } from './scan.ts';

/**
 * Rearranges the words of a clause into the order that the rules expect. Also returns `length`, the minutes that the
 * clause gives an event, and `isDayLed`. The latter is true if a day stood before the rest: "on Thursdays I'm only free
 * after 2".
 */
export function arranged(items: readonly Item[]): { items: Item[]; length: number | undefined; isDayLed: boolean } {
  const { items: told, length } = withoutLength(items);
  const plain = ranged(beforeEvents(withoutObjects(busied(told))));
  const led = withDayInPlace(plain);
  return { items: led ?? plain, length, isDayLed: led !== undefined };
}

/**
 * Reads "back to back on Thursday" as the statement that the person is busy on Thursday, if no other word of the clause
 * wants or refuses a time.
 */
function busied(items: readonly Item[]): readonly Item[] {
  if (!items.some(isPlace) || items.some(({ tag }) => /[ngcakbs]/.test(tag))) return items;
  return items.map(({ mention, ...item }) =>
    mention?.kind === 'back_to_back' ? { ...item, tag: 'u' } : { ...item, ...(mention && { mention }) },
  );
}

const HELD = /^(?:meetings?|calls?|sessions?|chat|of)$/;

/** Takes the length out of "a two hour workshop at 2", and returns it in minutes. */
function withoutLength(items: readonly Item[]): { items: readonly Item[]; length?: number } {
  const at = items.findIndex(({ mention }) => mention?.kind === 'amount' && mention.days === 0);
  const [{ mention } = { mention: undefined }, thing] = [items[at] ?? {}, items[at + 1]];
  if (mention?.kind !== 'amount' || thing === undefined || items.some(({ tag }) => /[mpq]/.test(tag))) return { items };
  const isThing = thing.tag === 'd' || thing.tag === 'x' || HELD.test(thing.text);
  const isTimed = items.slice(at + 1).some((item) => isMarked(item) && item.mention.kind === 'clock');
  if (!isThing || !isTimed) return { items };
  return { items: [...items.slice(0, at), ...items.slice(at + 1)], length: mention.minutes };
}

/**
 * Moves the day that leads a clause to its hours: "on Thursdays I'm only available after 2" and "Friday prayers 12 to
 * 1". Returns undefined if no day leads the clause.
 */
function withDayInPlace(items: Item[]): Item[] | undefined {
  const day = items.findIndex(isMarked);
  const clock = items.findIndex((item, i) => i > day && isMarked(item));
  const [first, hours] = [items[day], items[clock]];
  const isDay = first?.mention?.kind === 'weekdays' || first?.mention?.kind === 'days';
  if (
    !first ||
    first.bound ||
    !isDay ||
    hours?.mention?.kind !== 'clock' ||
    items.slice(clock + 1).some((item, i, rest) => isMarked(item) && !rest.slice(0, i).some(({ tag }) => tag === ','))
  )
    return undefined;
  const between = items.slice(day + 1, clock);
  const [lead] = between;
  const leads = lead && (/^[dk]$/.test(lead.tag) || /^(?:i|we|my|our)\b|^it (?:has|needs|must)\b/.test(lead.text));
  if (
    !leads ||
    between.some(({ tag }) => /[,&o|-]/.test(tag)) ||
    items.slice(0, day).some(({ tag }) => !/[fj]/.test(tag))
  )
    return undefined;
  return [...items.slice(0, day), ...between, first, ...items.slice(clock)];
}

const LONGEST_EVENT = 7;

/**
 * Turns the time of an event into a limit: "before my flight on Thursday" becomes before Thursday, and "after my call
 * at 3" becomes after 3. Does so only if the time ends the clause.
 */
function beforeEvents(items: readonly Item[]): readonly Item[] {
  const at = items.findIndex(({ tag, text }) => tag === 'j' && /^(?:before|once|after)$/.test(text));
  const day = items.findIndex(isMarked);
  const [word, item] = [items[at], items[day]];
  if (
    !word ||
    !isMarked(item) ||
    (item.bound && item.bound !== 'at') ||
    !(item.mention.kind === 'days' || (item.mention.kind === 'clock' && item.mention.isPoint)) ||
    day < at + 2 ||
    day > at + LONGEST_EVENT
  )
    return items;
  const event = items.slice(at + 1, day);
  const next = items[day + 1];
  // "Before the board meets on Wednesday morning".
  const part = next?.mention?.kind === 'clock' && item.mention.kind === 'days' ? next : undefined;
  const rest = items.slice(part ? day + 2 : day + 1);
  const isBefore = word.text === 'before';
  const isClock = item.mention.kind === 'clock';
  if (part && !isBefore) return items;
  if (isClock && items.slice(0, at).some(({ tag }) => /[hul]/.test(tag))) return items;
  if (
    rest.some(({ text }) => !/^(?:please|instead|kindly|thanks)$/.test(text)) ||
    !event.every(({ tag }) => (isBefore || isClock ? /[xdhutrlfvjg]/ : /[xtfvj]/).test(tag))
  )
    return items;
  if (!event.some(({ tag }) => /[xdhutrl]/.test(tag))) return items;
  const text = `${word.text} ${item.text}`;
  return [
    ...items.slice(0, at),
    { ...item, text, start: word.start, bound: isBefore ? 'before' : 'after' },
    ...(part && isBefore ? [part] : []),
    ...rest,
  ];
}
