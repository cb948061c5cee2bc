import { type Item, isMarked } from './scan.ts';

/** Merges the first and last day of a span into one mention: "Monday to Wednesday", "30 Nov - 4 Dec". */
export function ranged(items: readonly Item[]): Item[] {
  const out: Item[] = [];
  const moved = items.findIndex(({ tag, text }) => tag === 'm' || (tag === 'p' && /push|bump|shift/.test(text)));
  const firstMove = moved < 0 ? items.length : moved;
  for (let i = 0; i < items.length; i++) {
    const [item, to] = [items[i] as Item, items[i + 1]];
    const lasting = lastingFrom(items[i - 1], item, to);
    if (lasting) {
      out.push(lasting);
      i++;
      continue;
    }
    const k = to && /^(?:to|-|—|until|and|through)$/.test(to.text) ? i + 2 : i + 1;
    const end = items[k];
    const joins =
      k === i + 2 ? to?.text !== 'and' || item.bound === 'between' : /^(?:until|through)$/.test(end?.bound ?? '');
    if (
      !joins ||
      i > firstMove ||
      !isMarked(item) ||
      !isMarked(end) ||
      !isDay(item) ||
      !isDay(end) ||
      (item.bound && item.bound !== 'from' && item.bound !== 'between')
    ) {
      out.push(item);
      continue;
    }
    const merged = spanOf(item, end);
    if (merged === undefined) {
      out.push(item);
      continue;
    }
    out.push(merged);
    i = k;
  }
  return out;
}

/** Merges "for a week from Wednesday" into the days of that week. */
function lastingFrom(word: Item | undefined, amount: Item, from: Item | undefined): Item | undefined {
  if (word?.text !== 'for' || amount.mention?.kind !== 'amount' || amount.mention.days === 0) return undefined;
  if (from?.mention?.kind !== 'days' || from.bound !== 'from') return undefined;
  const { first } = from.mention;
  const mention = { kind: 'days' as const, first, last: first + amount.mention.days - 1 };
  return { tag: 'M', text: `${amount.text} ${from.text}`, start: amount.start, end: from.end, mention };
}

const isDay = ({ mention }: Item) => mention?.kind === 'days' || mention?.kind === 'weekdays';

function spanOf(a: Item, b: Item): Item | undefined {
  const whole = { tag: 'M' as const, text: `${a.text} to ${b.text}`, start: a.start, end: b.end };
  if (a.mention?.kind === 'weekdays' || b.mention?.kind === 'weekdays') {
    const [from, to] = [weekdayOf(a), weekdayOf(b)];
    if (from === undefined || to === undefined) return undefined;
    const count = ((to - from + 7) % 7) + 1;
    return { ...whole, mention: { kind: 'weekdays', days: Array.from({ length: count }, (_, k) => (from + k) % 7) } };
  }
  if (a.mention?.kind !== 'days' || b.mention?.kind !== 'days') return undefined;
  const { first } = a.mention;
  let { last } = b.mention;
  const isNamed = a.mention.weekday !== undefined && b.mention.weekday !== undefined;
  // On a Monday, "Monday to Wednesday" begins today.
  if (last < first && isNamed)
    return {
      ...whole,
      mention: { kind: 'days', first: first - 7 * Math.ceil((first - last) / 7), last, isSpan: true },
    };
  if (last < first) last += 7 * Math.ceil((first - last) / 7);
  if (last - first > 6 && isNamed) last -= 7 * Math.floor((last - first) / 7);
  // "Tuesday to Thursday next week" begins in that week.
  const isLate = last - first > 6 && a.mention.weekday !== undefined && / week$/.test(b.text);
  const from = isLate ? first + 7 * Math.floor((last - first) / 7) : first;
  return { ...whole, mention: { kind: 'days', first: from, last, ...(isNamed && { isSpan: true }) } };
}

const weekdayOf = ({ mention }: Item) =>
  mention?.kind === 'weekdays' ? mention.days[0] : mention?.kind === 'days' ? mention.weekday : undefined;
