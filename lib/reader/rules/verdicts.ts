/** The verdict of one side of a mention: the words before it, or those after it up to the next mention or the end. */
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
 * The patterns of the classes of words before a mention, fillers left out, and what each says of the time. The pattern
 * must match the whole side. A side that no pattern matches is not understood.
 */
const BEFORE: [pattern: RegExp, side: Side][] = [
  [/^$/, 'none'],
  [/t/, 'told'],
  [/^a*c$/, 'kept'],
  [/^[am&,]*s$|^[ag]*s$/, 'left'],
  [/^[xd]{0,2}[ag]*x?k[agmh]*$/, 'only'],
  [/^k?[am]*n+[am]*$|^[am]*n+g*$|^[am]*n[gr]?$|^n+[ad]*$|^g?n$/, 'refused'],
  [/^[agvd]*e$/, 'refused'],
  [/^[ad]*n+[amg]*e$/, 'only'],
  [/^n[ur]+$/, 'denied'],
  [/^[xd]{0,3}u+[xdj]{0,3}$|^h?u+j?$|^b+j?$|^[xd]?b$/, 'busy'],
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

/** The verdict on a time: wanted or refused, the end or start of somebody's time, or only spoken of. */
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
 * Combines what the words before and after a time say of it. Two refusals do not make a wish: the verdict is then
 * unclear.
 */
export function verdictOf(before: Side, after: Side): Verdict {
  if (before === 'told' || before === 'left' || after === 'told') return 'told';
  if (before === 'unknown' || after === 'unknown' || before === 'denied' || after === 'denied') return 'unknown';
  if (after === 'trailing') return /^(?:obstacle|busy)$/.test(before) ? verdictOf(before, 'none') : 'unknown';
  const isAgainst = after === 'refused' || after === 'busy';
  if (after === 'reserved' && before !== 'kept') return 'unknown';
  switch (before) {
    case 'refused':
      return isAgainst ? 'unknown' : 'refused';
    case 'kept':
      return after === 'wanted' || after === 'reserved' ? 'refused' : 'unknown';
    case 'busy':
      return isAgainst || after === 'wanted' ? 'unknown' : 'refused';
    case 'obstacle':
      if (after === 'wanted') return 'unknown';
      return isAgainst ? 'refused' : 'obstacle';
    case 'leaves':
    case 'starts':
    case 'push':
    case 'pull':
      return isAgainst ? 'unknown' : before;
    default:
      if (isAgainst) return before === 'only' ? 'unknown' : 'refused';
      return before === 'only' || after === 'only' ? 'only' : 'wanted';
  }
}
