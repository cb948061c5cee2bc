import type { Clause, Item } from './clauses.ts';

/** Times that cannot be: said to be bad, filled by something else, before the person is back, after the end, or of an event. */
type Refusal = 'refused' | 'taken' | 'back' | 'over' | 'event';
/**
 * How a part of a clause speaks of its times. `works` are hours of work, and `source` is the present time or one taken back. The
 * last three name no times: a move or a rule, "not too early", and pauses that are good or that nobody needs.
 */
type Verdict = Refusal | 'wanted' | 'works' | 'source' | 'moves' | 'not_too' | 'told';

export interface Part {
  verdict: Verdict;
  items: Item[];
  isOnly: boolean;
  isOccasion: boolean;
}

const NP = '[Xk]+(?:j+[Xk]+)*';
const WHO = `(?:s|${NP})?`;
const SAID = '[aivwghMs]*';
const TAIL = '(?:[jk]*j[XkvwNRFSLMQ]*[jXkvaNQ]*)?';

/**
 * Patterns of the classes of words. The first that matches, so that what is left speaks of a time too, is taken. Every
 * word of a clause belongs to one, or the clause is not understood.
 */
const CONSTRUCTIONS: [verdict: Verdict, pattern: string][] = [
  ['source', 'P[vsj]*T(?:[aivgw]+$)?'],
  ['refused', '(?<!T)e[jvs]*T[aivs]*[gv]+$'],
  ['refused', '[aivgwsXo]*e[jvs]*T'],
  ['taken', `${WHO}[aivwghMsj]*Fs*T(?:g+|b|X)?${TAIL}`],
  ['not_too', `${WHO}${SAID}n${SAID}C[gv]*`],
  ['moves', `(?:(?:${NP})?[aivwgh]*)?(?:Ti*)?C${TAIL}`],
  ['told', '[^TDCUOBZgwn]*[gw][^TDCUOBZn]*B|Bi*g+'],
  ['moves', `(?:${WHO}[iavhwnkjs]*)?(?:kj*)?[BZ][jvb]*`],
  ['moves', `${WHO}[iavgwMhjs]*[OU][iavgMws]*${TAIL}`],
  ['back', `${WHO}[aivwgMjs]*W[iav]*R(?:j*X+)*T(?:j+X+)*$`],
  ['back', `${WHO}[ianvhws]*R(?:j*X+)*T(?:j+X+)*`],
  ['back', `[kXj]*k[kXj]*[aivwh]*Lj*T${TAIL}`],
  ['over', `s?[aivwhs]*Lj*T${TAIL}`],
  ['over', `${NP}[aivwh]*Sj*T`],
  ['back', `s?[aivwhs]*Sj*T${TAIL}`],
  ['refused', `(?:${NP}i*)?T[siaXv]*n[aivgwhMJs]*[gvhsJ]${TAIL}(?![aivgwhMJs]*T)`],
  ['refused', 'T[sav]*n(?=$)'],
  ['refused', `(?:${NP})?T[sia]*b+(?:j*[Xk]+)*[gv]*`],
  ['refused', `${WHO}[aivwghFJRSMs]*n[aivghwMJRSsjF]*T[gv]*(?:i*j[jX]*)?`],
  ['taken', `s[iahvws]*b+(?:j*[Xk]+)*[aivj]*T${TAIL}`],
  ['refused', `(?:${NP})?[iahvw]*b+(?:j*[Xk]+)*[aivj]*T${TAIL}`],
  ['works', `${WHO}[aigs]*o?k*J+[iojgk]*T[oJ]*|Ti+J+$`],
  ['taken', 's[iahwvs]*[Xjv]*k[kXjv]*T(?:j[jXk]+)*'],
  ['taken', 'h+[jv]*[kX][kXjv]*T(?:j[jXkQ]+)*'],
  ['taken', 's[ihvs]*[kXjv]*X[kXjv]*T(?:j[jXk]+)*'],
  ['taken', '[Xjvhsi]*k[kXjvihsLSR]*T(?:j[jXk]+)*'],
  ['taken', 'T[siavh]*X*k+(?:j*[Xk]+)*'],
  ['taken', 'Ts[iavh]*(?:j*[Xk]+)+'],
  ['wanted', `${WHO}[aivwgMhosj]*(?:M[kXj]*)?T(?:J|[siavgwoMh]*[gawoMv][vsg]*)?(?:j[kXvaw][jkXvawNQ]*)?(?:zk+)?`],
  ['moves', `${WHO}[aivwgMhjs]*D[aivgMjs]*${TAIL}`],
  ['event', `${NP}[iv]*T(?:[ig]*)${TAIL}`],
  ['event', `T(?:i|j)+${NP}${TAIL}`],
];
const STICKY = CONSTRUCTIONS.map(
  ([verdict, pattern]) => [verdict, new RegExp(`(?:${pattern})(?=$|.*[TDCUOBZ])`, 'y')] as const,
);

export const isTimely = ({ items }: Clause): boolean => items.some(({ tag }) => /[TDCUOBZ]/.test(tag));

const LONGEST_CLAUSE = 80;

/** A word that is left over may turn the meaning of every time in the clause, which is then undefined. */
export function partsOf({ items }: Clause): Part[] | undefined {
  if (items.length > LONGEST_CLAUSE) return undefined;
  const spoken = items.filter(({ tag }) => tag !== 'f');
  while (spoken[0]?.tag === 'c') spoken.shift();
  while (spoken.at(-1)?.tag === 'a' && spoken.some(({ tag }) => /[nbeFLRSCBZ]/.test(tag))) spoken.pop();
  const tags = spoken.map(({ tag }) => tag).join('');
  const parts: Part[] = [];
  for (let at = 0; at < tags.length; ) {
    let words = '';
    const [verdict] =
      STICKY.find(([of, pattern]) => {
        pattern.lastIndex = at;
        words = pattern.exec(tags)?.[0] ?? '';
        return words !== '' && (of !== 'wanted' || isRequest(words));
      }) ?? [];
    if (verdict === undefined) return undefined;
    const items = spoken.slice(at, at + words.length);
    parts.push({ verdict, items, isOnly: words.includes('o'), isOccasion: /[kX]/.test(words) });
    at += words.length;
  }
  return parts;
}

/** Returns true for a request, an approval, or times alone, unlike "I change trains at 6" and "my son works nights". */
function isRequest(words: string): boolean {
  if (/^[Xk]/.test(words)) return /[agwo]/.test(words) && !/^X+gT/.test(words);
  return /[agwo]|^(?!sv?M).*M/.test(words) || /^v*T/.test(words) || /^Tv/.test(words);
}
