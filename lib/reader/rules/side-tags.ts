import type { Item } from './scan.ts';

const DROPPED = /[fvo&,|w~-]/g;

/**
 * Returns the class of an item. A number that the rules did not understand gets the class `#`, which fits no pattern.
 */
const tagOf = ({ tag, text }: Item) => (tag === 'x' && /\d/.test(text) ? '#' : tag);

/**
 * Returns the classes of the words before a time, leaving out fillers and other words that do not change the meaning.
 */
export function tagsBefore(items: Item[]): string {
  const tags = items.map((item) => (item.text === 'unless' ? 'x' : tagOf(item))).join('');
  return tags
    .replace(DROPPED, '')
    .replace(/^j+/, '')
    .replace(/j+(?=[am])/g, '');
}

/** Returns the classes of the words after a time, up to a reason. */
export function tagsAfter(items: Item[]): string {
  const end = items.findIndex(
    ({ tag }, i) => tag === 's' || (tag === 'j' && !(items[i + 1] && /[gb]/.test(items[i + 1]?.tag ?? ''))),
  );
  // "Wednesdays I am with clients" says what keeps somebody from Wednesdays, but the rules do not know those words. So
  // the time counts as not understood.
  const told = end < 0 ? [] : items.slice(0, end);
  if (
    items[end]?.tag === 'j' &&
    told.every(({ tag }) => /[fv]/.test(tag)) &&
    told.some(({ tag }) => tag === 'v') &&
    told.some(({ text }) => /^(?:i|we)$/.test(text))
  )
    return 'x';
  if (end >= 0 && items.slice(end).some(({ text }) => text === 'but not')) return 'gn#';
  const rest = end < 0 ? [] : items.slice(end).filter((item) => tagOf(item) === '#');
  const kept = [...(end < 0 ? items : items.slice(0, end)), ...rest];
  return kept.map(tagOf).join('').replace(DROPPED, '');
}
