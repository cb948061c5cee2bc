import type { Item } from './scan.ts';

const DROPPED = /[fvo&,|w~-]/g;

/**
 * Returns the class letter of a word or phrase, such as `n` for a negation. A number that the rules did not understand
 * may be a time, so it gets `#`. No pattern has `#`, so the time beside it counts as not understood.
 */
const tagOf = ({ tag, text }: Item) => (tag === 'x' && /\d/.test(text) ? '#' : tag);

/**
 * Returns the class letters of the words before a time, such as `n` for a negation. Leaves out fillers and other words
 * that do not change what is said of the time.
 */
export function tagsBefore(items: Item[]): string {
  const tags = items.map((item) => (item.text === 'unless' ? 'x' : tagOf(item))).join('');
  return tags
    .replace(DROPPED, '')
    .replace(/^j+/, '')
    .replace(/j+(?=[am])/g, '');
}

/**
 * Returns the class letters of the words after a time, such as `g` for approval, without fillers. Leaves out what
 * follows a comparison such as "than", or a word that introduces a reason, except numbers that the rules did not
 * understand.
 */
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
