import { type Clause, type Item, tagsOf } from './clauses.ts';
import { placesOf } from './places.ts';
import type { Token } from './tokens.ts';

const areSigns = (signs: string) => /^[:;,\n.-]+$/.test(signs) && !/(?:^|[^.])\.(?!\.)/.test(signs);
/** Negations that are nothing without what follows, unlike the one of "I can't, Monday". */
const BARE = /^(?:not|never|avoid|avoiding|without)$/;

/** Reads a refusal anew before each of the times in a list after it: "not: Monday", "no calls on:\n- Mondays\n- Fridays". */
export function withHanging(clauses: readonly Clause[], tokens: readonly Token[], isReason: boolean) {
  const wordsOf = (from: number, to: number) => tokens.slice(from, to).map(({ word }) => word);
  const signsBetween = (one?: Clause, other?: Clause) => (one && other ? wordsOf(one.to, other.from).join('') : '');
  const read: Token[] = [];
  const unclear = new Set<Token>();
  let head: Clause | undefined;
  let kind: 'read' | 'unclear' | undefined;
  for (const [i, clause] of clauses.entries()) {
    const last = clauses[i - 1];
    const signs = signsBetween(last, clause).replace(')', ',');
    const isTimes = isBare(clause);
    const [before, own] = [tokens.slice(last?.to ?? 0, clause.from), tokens.slice(clause.from, clause.to)];
    if (last && (kind === undefined || !isTimes)) {
      const isSilent = /^[fjz]*$/.test(tagsOf(clause));
      const found = isTimes || isSilent ? kindOf(last, isTimes ? signs : signs.replace('(', ','), clause) : undefined;
      const isRemark = /^[,(-]$|^\n+-$/.test(signs) && !/:/.test(signsBetween(clause, clauses[i + 1]));
      if (found) [head, kind] = isTimes ? [last, found] : [clause, 'unclear'];
      else if (!isRemark) kind = undefined;
    } else if (!areSigns(signs)) kind = undefined;
    if (!isTimes || kind !== 'read' || head === undefined) read.push(...before, ...own);
    else {
      if (last !== head) read.push(...before, ...tokens.slice(head.from, head.to));
      read.push(...own.filter(({ word }) => word !== ':'));
    }
    if (isTimes && kind === 'unclear') for (const token of own) unclear.add(token);
  }
  read.push(...tokens.slice(clauses.at(-1)?.to ?? 0));
  return { tokens: read, unclear };

  function isBare({ items, isQuestion }: Clause): boolean {
    const isPlain = ({ tag, from }: Item) => tag === 'f' || tokens[from]?.word === 'please';
    return !isQuestion && items.every((one) => one.tag === 'T' || isPlain(one)) && tagsOf({ items }).includes('T');
  }

  /** Tells what becomes of bare times after a clause, if the refusal in it lacks its own. */
  function kindOf({ items, to }: Clause, signs: string, next: Clause): 'read' | 'unclear' | undefined {
    const spoken = items.filter(isSpoken);
    const tags = tagsOf({ items: spoken });
    const at = spoken.findLastIndex(({ tag }) => /[neb]/.test(tag));
    const negation = spoken[at];
    if (tags === '' && signs.includes('but')) return 'unclear';
    if (negation === undefined || !areSigns(signs)) return undefined;
    const [front, tail] = [tags.slice(0, at), tags.slice(at + 1)];
    const words = wordsOf(negation.from, to);
    const isOpen = /[jz]$/.test(tail) || (negation.tag === 'e' && !/^ex(?:cept|clud)ed$/.test(words[0] ?? ''));
    if (/[TDCUOBZ]/.test(tail) || (front.includes('T') && !isOpen)) return undefined;
    const isList = /:|\n-/.test(signs) && !words.some((word) => /^(?:it|this|that)$/.test(word));
    if (isList) return 'read';
    if (negation.tag === 'b') return /[;\n.]/.test(signs) ? 'unclear' : undefined;
    const isExact = next.items.every(
      ({ times }) => times?.places.every(({ dates, isPoint }) => dates ?? isPoint) ?? true,
    );
    if (isReason && isExact && signs === ',' && words[0] === 'no' && tail === '') return undefined;
    const isAlone = isOpen || (tail === '' && BARE.test(words.at(-1) ?? ''));
    if (isAlone && !front.includes('s')) return 'read';
    return /^[jzvk]*$/.test(tail) ? 'unclear' : undefined;
  }
}

/** Words that a time before them is about: "on Fridays I stop at noon", and not "Friday is fine at noon". */
const FOLLOWING = /^a*[snoXkLSRhF]/;
const isSpoken = ({ tag }: Item) => tag !== 'f';

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
    if (!isMore) front = first?.tag === 'T' && FOLLOWING.test(tagsOf({ items: after })) ? first : undefined;
    const isGeneral = front?.times?.places.some((place) => place.isGeneral);
    const isAsked = isReason && !isMore && (isGeneral ? /^o/ : /^a*n+T/).test(tagsOf({ items: rest }));
    const whole = isHeaded
      ? { ...clause, items: [...head.items, ...clause.items], joint: head.joint, from: head.from }
      : clause;
    const item = front && !isAsked ? together(front, rest) : undefined;
    const { from } = whole;
    const said = rest.map((one, i) => ({ ...(one.tag === 'T' && item ? item : one), ...(i === 0 && { from }) }));
    all.splice(isHeaded ? -1 : all.length, isHeaded ? 1 : 0, item ? { ...whole, items: said } : whole);
  }
  return all;

  function isHead(time: Item, rest: readonly Item[]): boolean {
    const parts = time.times?.segments.flat() ?? [];
    const isNamed =
      /^(?:on|in|at|during)$/.test(tokens[time.from]?.word ?? '') && !parts.some(({ day }) => day?.isSpan);
    const isOfDays = parts.every(({ day }) => day && (!isReason || day.weekdays));
    const isFree = rest.every(({ tag }) => tag !== 'T') || together(time, rest) !== undefined;
    if (time.tag !== 'T' || rest.length === 0) return time.tag === 'T';
    return (isNamed || isOfDays) && isFree && FOLLOWING.test(tagsOf({ items: rest }));
  }
}

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
