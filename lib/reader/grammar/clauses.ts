import type { Calendar } from '../calendar.ts';
import { numberOf } from './clocks.ts';
import { phraseAt, skip } from './lexicon.ts';
import { amountAt, type Moving, movingAt } from './moves.ts';
import { type Times, timesAt } from './times.ts';
import type { Token } from './tokens.ts';
import type { Told } from './weeks.ts';
import { placeAt } from './zones.ts';

/** Words of a clause that mean one thing. `tag` is their class (lexicon.ts, moves.ts), or T for days and hours. */
export interface Item {
  tag: string;
  from: number;
  to: number;
  times?: Times;
  moving?: Moving;
}

export interface Clause {
  items: Item[];
  joint: string;
  from: number;
  to: number;
  isQuestion: boolean;
}

const ENDS = /^(?:[.!?;\n()-]|but|so|because|although|however|therefore|hence|otherwise|though|then)$/;
const BEGINS =
  /^(?:that|thats|i|im|ive|id|ill|we|weve|can|could|would|please|lets|its|it|there|he|she|they|my|our|the|happy|completely|forgot|am|is|are|cant|dont|wont|not|nothing|no|prefer|then|also|keep|avoid|never|finish|leave|start|back|have|maybe|how|what|preferably|ideally|anything|any|free|only)$/;
const LOOSENS =
  /^(?:do|make|it|say|to|than|like|maybe|for|meet|talk|call|start|starting|prefer|at|or|about|around|roughly|finish|leave|can|until|till|speak|chat|possible|by|done|perhaps|leaving|only|suits|instead|not|no)$/;

export const tagsOf = ({ items }: { items: readonly Item[] }): string => items.map(({ tag }) => tag).join('');

const GREETS = /^(?:hi|hiya|hello|hey|heya|dear|morning|thanks|thank|cheers|ta)$/;
const ASKS = /^(?:|[?.!,]|instead|please|works?|suits?|same|or|and|on|is|would|might|thursday|clashes|-|to|am|pm|\d+)$/;
const TITLES = /^(?:mr|mrs|ms|prof|professor)$/;
const isTo = ({ word }: Token) => word === 'to';
const NAMING = /[XkJfovFi]/;
/** Facts about a clause's items so far. They are kept, because reading all items anew for each word takes too long. */
const NOTHING = { isSilent: true, isName: true, hasTime: false, excluded: '' as 'e' | 'n' | 'P' | '' };

export function clausesOf(tokens: Token[], calendar: Calendar, told: Told, isReason: boolean, first = 0): Clause[] {
  const clauses: Clause[] = [];
  let items: Item[] = [];
  let seen = NOTHING;
  let joint = '';
  let from = first;
  const word = (i: number) => tokens[i]?.word ?? '';
  const end = (at: number, sign: string, next: number) => {
    if (items.length > 0) clauses.push({ items, joint, from, to: at, isQuestion: sign === '?' });
    joint = items.length > 0 || !/^[a-z]/.test(joint) ? sign : joint;
    items = [];
    seen = NOTHING;
    from = next;
  };
  const add = (item: Item) => {
    const { isSilent, isName, hasTime, excluded } = seen;
    items.push(item);
    seen = {
      isSilent: isSilent && item.tag === 'f',
      isName: isName && NAMING.test(item.tag),
      hasTime: hasTime || item.tag === 'T',
      excluded: item.tag === 'e' || item.tag === 'n' || item.tag === 'P' ? item.tag : item.tag === 'T' ? '' : excluded,
    };
  };
  for (let i = first; i < tokens.length; ) {
    if (isException(i)) add({ tag: 'e', from: i, to: i + 1 });
    else if (beginsAt(i)) end(i, word(i), i + 1);
    else if (word(i) !== ':') itemAt(i).forEach(add);
    i = Math.max(i + 1, items.at(-1)?.to ?? 0);
  }
  end(tokens.length, '', tokens.length);
  return clauses.flatMap((clause) => split(clause));

  function beginsAt(at: number): boolean {
    const [one, next] = [word(at), word(at + 1)];
    if (one === ':') return items.length === 0 || !seen.isName;
    if (one === ',' && next === 'please' && /^[.!]?$/.test(word(at + 2))) return false;
    if (ENDS.test(one) || one === ',') return true;
    if (one === 'would' && /^(?:let|save|give|allow|mean)$/.test(next)) return true;
    const isSaid = word(at - 1) === 'only' && /^(?:is|are)$/.test(word(at + 2));
    if (!/^(?:and|&|\+|plus|as|since|or)$/.test(one) || !(isSaid || BEGINS.test(next))) return false;
    const isList = /^(?:and|or)$/.test(one) && /^(?:the|no|not|any|only|my|our)$/.test(next) && !seen.hasTime;
    return (items.length > 0 || one === 'or') && !isList;
  }

  function isException(at: number): boolean {
    if (word(at) !== 'but' || !seen.hasTime || (word(at - 2) === 'same' && word(at - 1) === 'time')) return false;
    const next = skip(word, at + 1, /^[:.\n-]$/);
    const times = timesAt(word, next, calendar, { ...told }, false);
    const isBounded = /^(?:before|after|from|until|till|by|not)$/.test(word(next));
    return times !== undefined && !isBounded && /^(?:|'s|[.,;!?)]|because|as|so)$/.test(word(times.next));
  }

  function itemAt(at: number): Item[] {
    const isNumber = /^\d/.test(word(at)) || numberOf(word(at)) !== undefined;
    const isAlone = /^(?:half|quarter)$/.test(word(at)) || (isNumber && ASKS.test(word(at + 1)));
    const loose = LOOSENS.test(word(at - 1)) || items.at(-1)?.tag === 'P' || (seen.isSilent && isAlone);
    if (word(at) === '/' || (TITLES.test(word(at - 1)) && !isNumber)) return [{ tag: 'f', from: at, to: at + 1 }];
    const moving = movingAt(word, at);
    const isTime = moving === undefined || moving.tag === 'Q';
    const times = isTime ? timesAt(word, at, calendar, told, loose, seen.excluded) : undefined;
    // "From Monday for two weeks" has another end than it names, and "move it from Monday to Friday" a source, "up to 3" either.
    const from = [at, at + 1].find((i) => /^(?:from|up)$/.test(word(i))) ?? tokens.length;
    const isSource = times && tokens.slice(from, times.next).some(isTo) && items.some(({ tag }) => tag === 'M');
    const isLength = times && word(times.next) === 'for' && amountAt(word, times.next + 1)?.days;
    if (times && (isSource || isLength)) times.isUnclear = true;
    // "The 10 o'clock with Bob" is a meeting of theirs.
    const isMeeting = /^(?:the|my|our)$/.test(word(at)) && word(times?.next ?? at) === 'with';
    if (times && isMeeting) return [{ tag: 'k', from: at, to: times.next }];
    if (times) return [{ tag: 'T', from: at, to: times.next, times }];
    const isLoose = moving?.tag === 'D' && moving.move.what === 'time';
    if (moving && !(isLoose && timesAt(word, moving.next, calendar, { ...told }, true)))
      return [{ tag: moving.tag, from: at, to: moving.next, moving }];
    const phrase = phraseAt(word, at);
    const isPast = /.{2}ed$/.test(word(at)) && !/[ihan]/.test(items.at(-1)?.tag ?? '');
    // "The shop closed on Friday" tells of the past, unlike "I'm booked on Friday".
    const isDeed = isPast && phrase?.tag === 'b' && /[Xs]/.test(items.at(-1)?.tag ?? '');
    if (phrase && !isDeed) return [...phrase.tag].map((tag) => ({ tag, from: at, to: at + phrase.length }));
    const place = placeAt(word, at);
    if (place) return [{ tag: 'X', from: at, to: place.next }];
    if (/^\d/.test(word(at))) return [{ tag: 'N', from: at, to: at + 1 }];
    if (GREETS.test(word(items.at(-1)?.from ?? at))) return [{ tag: 'f', from: at, to: at + 1 }];
    return [{ tag: isPast ? 'Y' : /^[\p{L}]/u.test(word(at)) ? 'X' : 'f', from: at, to: at + 1 }];
  }

  function isMixed({ segments, commas }: Times): boolean {
    const forms = segments.map((own) => own.map(({ day, clock }) => (day ? 'd' : clock?.isPoint ? 'p' : 'c')).join(''));
    return commas.some((at) => /^(?:next|tomorrow)$/.test(word(at + 1)) || new Set(forms).size > 1);
  }

  /** Splits a list of times of which the first belongs to the words before it, and the last to those after it. */
  function split(clause: Clause): Clause[] {
    const spoken = clause.items.filter(({ tag }) => tag !== 'f');
    const at = spoken.findIndex(({ times }) => times && times.commas.length > 0);
    const times = spoken[at]?.times;
    if (times === undefined) return [clause];
    const tags = tagsOf({ items: spoken });
    const [before, after] = [tags.slice(0, at), tags.slice(at + 1)];
    const isTurning = /[nebkhagw]/.test(before) && /^[si]*[agMn]|^[sai]*v|b|^i/.test(after);
    if (isReason && /[nbe]/.test(before) && after === '' && !clause.isQuestion) times.isUnclear ||= isMixed(times);
    if (!isTurning) return [clause];
    const joint = times.commas.at(-1) ?? 0;
    const [own, ...others] = [
      ...clausesOf(tokens.slice(0, joint), calendar, told, isReason, clause.from),
      ...clausesOf(tokens.slice(0, clause.to), calendar, told, isReason, joint + 1),
    ];
    if (own === undefined) return [clause];
    return [{ ...own, joint: clause.joint }, ...others.map((one) => ({ ...one, isQuestion: clause.isQuestion }))];
  }
}

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
