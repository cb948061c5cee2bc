/**
 * The judgment on a time by the words on one side of it, before it or after it. `refused`, for example, comes from "not
 * on", and `unknown` from words that fit no rule.
 */
export type Side =
  | 'none'
  | 'wanted'
  | 'only'
  | 'refused'
  | 'kept'
  | 'reserved'
  | 'busy'
  | 'obstacle'
  | 'leaves'
  | 'starts'
  | 'told'
  | 'left'
  | 'push'
  | 'pull'
  | 'denied'
  | 'trailing'
  | 'unknown';

/**
 * Patterns of the words before a time, and what such words say of the time, such as `refused`. A pattern matches the
 * words' class letters, such as `n` for a negation, without fillers. If no pattern matches all the words, they count as
 * not understood.
 */
const BEFORE: [pattern: RegExp, side: Side][] = [
  [/^$/, 'none'],
  [/t/, 'told'],
  [/^a*c$/, 'kept'],
  [/^[am&,]*s$|^[ag]*s$/, 'left'],
  [/^x{0,2}[ag]*x?k[agmh]*$/, 'only'],
  [/^k?[am]*n+[am]*$|^[am]*n+g*$|^[am]*n[gr]?$|^n+[ad]*$|^g?n$/, 'refused'],
  [/^[agvd]*e$/, 'refused'],
  [/^[ad]*n+[amg]*e$/, 'only'],
  [/^n[ur]+$/, 'denied'],
  [/^[xd]{0,3}u+[xdj]{0,3}$|^h?u+j?$|^b+j?$|^[xd]{0,3}b$/, 'busy'],
  [/^[xd]{0,2}h+[xdjbu]*$|^[xd]{0,2}dx{1,2}$|^[xd]{0,2}d+u?$|^[xd]*hd+x{0,3}d*$|^d+ju?$/, 'obstacle'],
  [/^[xdh]{0,2}l+$|^u+r$/, 'leaves'],
  [/^[xd]{0,2}k?r+$|^a*jr+$/, 'starts'],
  [/^[agmjx]{0,3}p[maj]*$/, 'push'],
  [/^[agmjx]{0,3}q[maj]*$/, 'pull'],
  [/^m*a[amgr]*$|^[am]+$|^a+j?$|^m+$|^g+[am]*$|^[am]+g+$|^[am]+j$|^g+j$|^ga+$|^mj?$|^am+j?$|^a+l$/, 'wanted'],
];

const AFTER: [pattern: RegExp, side: Side][] = [
  [/^$/, 'none'],
  [/^[a]+$/, 'wanted'],
  [/^[ag]*k[agdj]*$/, 'only'],
  [/^a*n+[ag]*$/, 'refused'],
  [/^n+b+$|^n+u+$/, 'denied'],
  [/^a*[bu]+a?$|^h[xdbu]*$|^d+$|^hd+x*$|^u+[dx]{0,2}$|^b+[xd]{0,2}$|^b+g?$|^jb+$|^hx*n$|^jd$/, 'busy'],
  [/^[a]*g+[agm]*$|^ag+$/, 'wanted'],
  [/^gb+g*$/, 'reserved'],
  // "An exam from 9 to 12 in the main hall": where or with whom weighs nothing.
  [/^[xd]{1,3}$/, 'trailing'],
  [/^t.*$/, 'told'],
];

export const sideBefore = (tags: string): Side => BEFORE.find(([pattern]) => pattern.test(tags))?.[1] ?? 'unknown';
export const sideAfter = (tags: string): Side => AFTER.find(([pattern]) => pattern.test(tags))?.[1] ?? 'unknown';

/**
 * The meaning of a time that a text names: wanted or refused, the end or start of somebody's day, or only mentioned.
 */
export type Verdict =
  | 'wanted'
  | 'only'
  | 'refused'
  | 'obstacle'
  | 'leaves'
  | 'starts'
  | 'push'
  | 'pull'
  | 'told'
  | 'unknown';

/**
 * Combines the judgments of the words before and after a time into one verdict. Two refusals do not make a wish: the
 * verdict is then `unknown`.
 */
export function verdictOf(before: Side, after: Side): Verdict {
  if (before === 'told' || before === 'left' || after === 'told') return 'told';
  if (before === 'unknown' || after === 'unknown' || before === 'denied' || after === 'denied') return 'unknown';
  if (after === 'trailing')
    return /^(?:obstacle|busy|starts|leaves)$/.test(before) ? verdictOf(before, 'none') : 'unknown';
  const isAgainst = after === 'refused' || after === 'busy';
  if (after === 'reserved' && before !== 'kept') return 'unknown';
  switch (before) {
    case 'refused':
      return isAgainst ? 'unknown' : 'refused';
    case 'kept':
      return after === 'wanted' || after === 'reserved' ? 'refused' : 'unknown';
    case 'busy':
      // "Away 2 to 4 December at a trade show" says twice that the person is away.
      return after === 'refused' || after === 'wanted' ? 'unknown' : 'refused';
    case 'obstacle':
      if (after === 'wanted') return 'unknown';
      return isAgainst ? 'refused' : 'obstacle';
    case 'leaves':
    case 'starts':
    case 'push':
    case 'pull':
      return isAgainst ? 'unknown' : before;
    default:
      if (isAgainst) return 'refused';
      return before === 'only' || after === 'only' ? 'only' : 'wanted';
  }
}
