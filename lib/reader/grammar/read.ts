import { DAY_MINUTES, mondayOf } from '../../engine/time/dates.ts';
import { nothingRead, type Reading } from '../../engine/wish/reading.ts';
import type { Calendar } from '../calendar.ts';
import { type Clause, clausesOf, type Item, isTimely, type Part, partsOf, tagsOf } from './clauses.ts';
import { withFronts, withHanging } from './fronts.ts';
import { isKnown } from './lexicon.ts';
import { readPart } from './parts.ts';
import type { Place } from './places.ts';
import { add, settle } from './settle.ts';
import { readable, type Token, tokensOf } from './tokens.ts';

/** How to take a text: a `reason` is a wish for one meeting, and a `context` holds for all meetings. */
export type Purpose = 'reason' | 'context';

const CANCELS =
  /\b(?:please|kindly|can (?:you|we)|could (?:you|we)|let['’]?s|want to|would like to|need to|just)\s+(?:just\s+|please\s+)?(?:cancel|call (?:it|this) off|scrap (?:it|this))\b|\bno longer (?:need(?:ed)?|necessary)\b|\b(?:don['’]?t|do not) need (?:this|it|the meeting|to meet)\b/i;
/** Words by which a clause that was not read may be part of the wish. */
const WISH = /[neoW]|^[^z]*z[^T]*T|^f*T[^z]*z/;
/** Hours of a business are not those in which somebody meets. */
const SHOP = /\b(?:we|they|shop|store|office|clinic|caf[eé]|bar)(?:['’]re|['’]s| is| are)? opens?\b|\bopening\b/i;
const ALWAYS = /^(?:never|always|usually|generally|normally|typically|every|each|daily|anymore)$/;

/** How the clause before was read. `isBusy` is true if it was not, and names what keeps the person from meeting. */
interface Before {
  read?: Part[] | undefined;
  isBusy: boolean;
  isCondition?: boolean;
}

/** Reads what a text asks for by rules alone. A clause with a word that no rule explains counts as not understood. */
export function readByRules(given: string, calendar: Calendar, purpose: Purpose = 'reason'): Reading {
  const text = readable(given);
  let tokens = tokensOf(text);
  const reading = nothingRead('rules');
  const quoteOf = ({ from, to }: { from: number; to: number }) =>
    text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
  const isReason = purpose === 'reason';
  let before: Before | undefined;
  const taken: string[] = [];
  if (tokens.filter(({ word }) => MARK.test(word)).length > MOST_MARKS) return { ...reading, unread: [text.trim()] };
  const told = { day: calendar.oldDay, week: mondayOf(calendar.oldDay) };
  const hanging = withHanging(clausesOf(tokens, calendar, { ...told }, isReason), tokens, isReason);
  tokens = hanging.tokens;
  const clauses = withFronts(clausesOf(tokens, calendar, told, isReason), tokens, isReason);
  if (isForeign(tokens, clauses)) return { ...reading, unread: [text.trim()] };
  let [isBroken, isOpen, isAskedBefore, isDayUnread, isCase] = [false, false, false, false, false];
  let asked = '';
  for (const [i, clause] of clauses.entries()) {
    const tags = tagsOf(clause);
    const signs = tokens.slice(clauses[i - 1]?.to ?? 0, clause.from);
    if (signs.some(({ word }) => /^[.!?;\n]$/.test(word))) isBroken = false;
    if (tags.includes('c')) takeBack();
    if (!isTimely(clause)) {
      if (isCorrection(i) || (/^f*nf*$/.test(tags) && isHanging(clauses[i + 1]))) takeBack();
      const isSaid = before?.read?.at(-1)?.verdict === 'back' && AFTER_THAT.test(quoteOf(clause));
      before = readUntimely(clause, tags);
      if (isReason && !isSaid) readAside(clause, tags, tagsOf({ items: clauses[i - 1]?.items ?? [] }));
      continue;
    }
    if (clause.joint !== ',') asked = '';
    // People tell of the past and of earlier arrangements as a story. A past day that they ask for is a slip.
    const isPast = clause.items.some(({ times }) => times?.isPast);
    const isAlone = clauses.length === 1 && /^[fT]*$/.test(tags);
    const isStory = isPast
      ? tags.includes('Y') || (isReason && (/[bkn]/.test(tags) || !(isAlone || /[agMo]/.test(tags))))
      : tags.includes('Y') && !/[aw]|^f*n/.test(tags) && !clause.isQuestion;
    const said = quoteOf(clause);
    isCase = isReason && (CASE.test(said) || (isCase && /^(?:,|then)$/.test(clause.joint)));
    if (isCase || (isReason && / is when\b/i.test(said))) taken.push(said);
    if (isStory || taken.at(-1) === said) continue;
    const stand = /^[fo]*Tf*$/.test(tags) ? standOf(clause, before, isReason) : 'alone';
    const isGuarded = before?.isCondition || stand === 'unclear';
    const isOther = isPast || SHOP.test(said);
    // "Friday (the new intern)" is a name.
    const isName =
      /^f*Tf*$/.test(tags) && clauses[i + 1]?.joint === '(' && /^the\b/i.test(quoteOf(clauses[i + 1] ?? clause));
    const isUnclear =
      isGuarded || isOther || isName || isHanging(clause) || clause.items.some(({ times }) => times?.isUnclear);
    const parts = isUnclear ? undefined : partsOf(clause);
    const isBound = stand === 'bound' && tokens[clause.from]?.word !== 'say';
    const read = parts?.map((part) => {
      const isDenied = /^(?:event|wanted)$/.test(part.verdict) && !/[agwMov]/.test(tags) && isDenial(i + 1);
      const isNoun = /^(?:event|taken)$/.test(part.verdict) && !tags.includes('s');
      if (!isReason && clause.joint === 'so' && isNoun) return undefined;
      if (isReason && isDoubtful(part, clause)) return undefined;
      const isAside = isReason && part.isOnly && /^(?:[,(]|but|though|although)$/.test(clause.joint);
      // In "next week, but Wednesday only after 3" the hours are those of one day, and rule others of it out.
      if (isAside && reading.wanted.length > 0 && part.items.some(namesHoursOfDay)) return undefined;
      const isStart =
        isReason && part.verdict === 'back' && /S/.test(tags) && (/a/.test(tags) || clause.joint === 'and');
      const verdict = isDenied ? 'taken' : isStart ? 'wanted' : part.verdict;
      return partOf(isBound ? goesOn(part, before) : { ...part, verdict }, clause);
    });
    const isAdrift = isBroken && !clause.items.some(namesDay);
    if (isAdrift || read === undefined || read.includes(undefined) || (!isReason && read.some(gaveNothing))) {
      reading.unread.push(quoteOf(spanOf(clause)));
      const isPart = calendar.isNew || clause.isQuestion || WISH.test(tags);
      isOpen ||= isReason && (isPart || /^(?:or|otherwise)$/.test(clause.joint));
      isBroken ||= !isReason && clause.items.some(namesDay);
      asked = '';
      isAskedBefore ||= clause.isQuestion;
      isDayUnread ||= clause.items.some(namesDay);
      before = { isBusy: isReason };
    } else {
      const isOrdered = OTHERWISE.test(quoteOf({ from: clauses[i - 1]?.from ?? 0, to: clause.to }));
      for (const one of read) add(reading, one ?? {}, clause.joint, isOrdered);
      before = { read: parts, isBusy: false };
      const isRequest = (clause.isQuestion || tags.includes('a')) && /^(?:|[.!?;\n-]|so)$/.test(clause.joint);
      if (isRequest && parts?.every(({ verdict }) => verdict === 'wanted')) asked = quoteOf(spanOf(clause, true));
    }
  }
  if (isReason) settle(reading, calendar);
  const { wanted, moves, refused, soon, unread } = reading;
  const isWanted = wanted.some(({ dates, weekdays }) => dates ?? weekdays ?? !isDayUnread);
  if (isReason && (isOpen || unread.length > 1 || (unread.length > 0 && moves.length === 0 && !soon && !isWanted))) {
    // A last request that was wholly read stands, whatever they told before it.
    const isAsked = ({ quote }: { quote: string }) => !isAskedBefore && asked.includes(quote.split(' … ')[0] ?? '');
    const others = [...wanted, ...moves, ...refused, ...(soon ? [soon] : [])].filter((one) => !isAsked(one));
    unread.push(...others.map(({ quote }) => quote));
    Object.assign(reading, { wanted: wanted.filter(isAsked), moves: [], refused: [], soon: undefined, standing: [] });
  }
  const cancels = CANCELS.exec(text)?.[0];
  const asksToMove = reading.wanted.length + reading.moves.length > 0 || reading.soon !== undefined;
  if (isReason && cancels !== undefined && !asksToMove) reading.cancels = cancels;
  reading.unread = [...new Set([...reading.unread, ...(asksToMove ? [] : taken)])];
  return reading;

  function takeBack(): void {
    taken.push(...[...reading.wanted, ...reading.moves].map(({ quote }) => quote));
    Object.assign(reading, { wanted: [], moves: [], soon: undefined });
  }

  /** Returns true for times after a refusal that may or may not be theirs: "I can't do it - Monday". */
  function isHanging(clause?: Clause): boolean {
    return clause !== undefined && tokens.slice(clause.from, clause.to).some((token) => hanging.unclear.has(token));
  }

  /** "The one after", "later, two days or so" and "ideally slot 3" ask for times in words that no rule reads. */
  function readAside(clause: Clause, tags: string, last: string): void {
    const near = tags.split(/[kY]/).at(-1) ?? '';
    const isNumber = /Na?$/.test(near) && /[azoM]/.test(near.replace(/Na?$/, ''));
    const isTime = ASIDE.test(quoteOf(clause)) && /^[^bk]*$/.test(tags);
    const isOfPeriod = TIMELY.test(quoteOf(clause)) && (calendar.isNew || clause.isQuestion || /[enaw]/.test(tags));
    if (isNumber || isOfPeriod) reading.unread.push(quoteOf(spanOf(clause)));
    isOpen ||= isNumber || isTime || isOfPeriod || (/^f*Q[fa]*$/.test(tags) && last.includes('D'));
  }

  /** "Can we keep Tuesday?" and "does it have to be Friday?" may mean other times. */
  function isDoubtful({ verdict, items }: Part, clause: Clause): boolean {
    const [said, tags] = [quoteOf(clause).toLowerCase(), tagsOf({ items })];
    if (verdict === 'wanted') return /^k.*o/.test(tags) || FIXED.test(said);
    if (verdict !== 'taken' || !/\bkeep/.test(said)) return false;
    return (clause.isQuestion ? /^[^F]*F.*T$/ : /^[^aF]*a[^F]*F.*T$/).test(tags);
  }

  function isCorrection(at: number): boolean {
    const [clause, next] = [clauses[at], clauses[at + 1]];
    if (clause === undefined || next?.joint !== ',' || isHanging(next)) return false;
    const isOwn = /^[.!?-]$/.test(clause.joint);
    return /^f*nf*$/.test(tagsOf(clause)) && (isOwn || /^[fosav]*T[afgv]*$/.test(tagsOf(next)));
  }

  /** Returns true for words that deny the times before them: "Friday is stocktake, so no", "9 to 10, no calls there". */
  function isDenial(at: number): boolean {
    const clause = clauses[at];
    if (clause === undefined || clause.isQuestion || !/^(?:so|[,;:-])$/.test(clause.joint) || isCorrection(at))
      return false;
    const tags = tagsOf(clause).replaceAll('f', '');
    const isPointing = clause.joint === 'so' || /^n[vk]*$/.test(tags) || /\bthere\b/i.test(quoteOf(clause));
    return isPointing && /^[siavhg]*[nb][siavhgkj]*$/.test(tags);
  }

  function partOf(part: Part, clause: Clause): Partial<Reading> | undefined {
    const { from, to } = spanIn(part.items);
    const places = part.items.flatMap(
      ({ times }) => times?.places.map((place) => ({ ...place, toldDay: times.toldDay })) ?? [],
    );
    return readPart({
      ...{ part, calendar, isContext: !isReason, quote: quoteOf({ from, to }) },
      places: onDaysBefore(part.verdict, clause.joint, places),
      words: tokens.slice(from, to).map(({ word }) => word),
      isAlways: tokens.slice(clause.from, clause.to).some(({ word }) => ALWAYS.test(word)),
    });
  }

  /** "Dialysis Tuesdays and Thursdays, home by 1" is about both days, and "I leave at 3, back at 5" about what is between. */
  function onDaysBefore(verdict: Part['verdict'], joint: string, places: Place[]): Place[] {
    const [last] = before?.read?.slice(-1) ?? [];
    const named = before?.read?.flatMap(({ items }) => items.flatMap(({ times }) => times?.places ?? [])) ?? [];
    const { from = 0, to = 0 } = named.length === 1 ? (named[0]?.clock ?? {}) : {};
    const isLeft = verdict === 'back' && last && /^(?:over|taken|event)$/.test(last.verdict);
    const since = isLeft && places.every(({ clock }) => clock && clock.from > from) ? from : 0;
    const isReplaced = since > 0 && last && (last.verdict === 'over' || to === DAY_MINUTES);
    const isOther = ({ quote }: { quote: string }) => quote !== quoteOf(spanIn(last?.items ?? []));
    if (isReplaced) reading.refused = reading.refused.filter(isOther);
    if (isReplaced) reading.standing = reading.standing.filter(isOther);
    const isBare = ({ dates, weekdays }: Place) => !(dates ?? weekdays);
    const isShared = since > 0 || (joint === ',' && /^(?:back|over)$/.test(verdict) && !isReason);
    const days = isShared && !named.some(isBare) ? named : [];
    return places.flatMap((place) => {
      if (!isBare(place) || days.length === 0) return [{ ...place, since }];
      return days.map(({ dates, weekdays }) => ({ ...place, dates, weekdays, since }));
    });
  }

  function readUntimely(clause: Clause, tags: string): Before {
    const event = before?.read?.at(-1);
    const isLength = tags.includes('Q') && !/^[aivgwhsjfXQ]*$/.test(tags);
    const whole = quoteOf(spanOf(clause, true));
    const isBack = (isReason ? /o/ : /^[^o]*o.*[vg]/).test(tags) && /\b(?:times?|days?|slot|one)\b/i.test(whole);
    if (isLength && (!tags.includes('Y') || event?.verdict === 'taken')) reading.unread.push(quoteOf(spanOf(clause)));
    else if (isBack) {
      reading.unread.push(...reading.refused.map(({ quote }) => quote), whole);
      Object.assign(reading, { refused: [], standing: [] });
    }
    if (tags.startsWith('z') && event?.verdict === 'wanted') return before ?? { isBusy: false };
    return {
      isBusy: (isReason ? /[bk]/ : /[bkF]/).test(tags),
      isCondition: !isReason && /^f*(?:if|unless)\b/i.test(whole),
    };
  }
}

/** General statements depend on no date. Today is a Monday, and the meeting is on the next day at 10:00. */
export const ANY: Calendar = { today: 4, oldDay: 5, oldMinute: 10 * 60, durationMinutes: 30 };

/** Clock times of other zones become those of `zone`, whose offset is that at the instant of writing, in epoch ms. */
export function readContext(text: string, zone?: { timeZone?: string | undefined; at: number }): Reading {
  const reading = readByRules(text, { ...ANY, timeZone: zone?.timeZone, zonesAt: zone?.at }, 'context');
  return { ...reading, wanted: [], refused: [], moves: [], soon: undefined };
}

/** Bare times stand alone or go on with the clause before: "I have a clinic (1.30-5)". Nobody asks for them then. */
function standOf({ joint, isQuestion, items }: Clause, before: Before | undefined, isReason: boolean) {
  if (isQuestion || before === undefined || !(isReason ? /^[,():-]$/ : /^[,.():-]$/).test(joint)) return 'alone';
  if (before.read === undefined && (before.isBusy || joint !== '(')) return before.isBusy ? 'bound' : 'alone';
  if (before.read === undefined) return isReason ? 'bound' : 'unclear';
  const { verdict, items: last = [], isOnly } = before.read.at(-1) ?? {};
  if (!isReason && isOnly) return 'bound';
  if (joint === ',' && last.some(({ tag }) => tag === 'e')) return 'alone';
  if (verdict === 'moves' || verdict === 'wanted' || (isReason && verdict === 'refused')) return 'alone';
  const isEdge = items.some(({ times }) => times?.segments.flat().some(({ bound }) => bound !== ''));
  if (verdict !== 'refused') return 'bound';
  return items.some(({ tag }) => tag === 'o') ? 'alone' : joint === '.' && isEdge ? 'unclear' : 'bound';
}

function goesOn(part: Part, before: Before | undefined): Part {
  const last = before?.read?.at(-1);
  const isLiked = last?.verdict === 'wanted' || last?.verdict === 'works';
  return { ...part, verdict: isLiked ? last.verdict : 'event', isOnly: part.isOnly || (last?.isOnly ?? false) };
}

/** Dates without an end, and more than a week of them, are no rule: "on leave until Friday". */
const gaveNothing = (part?: Partial<Reading>) => part?.standing?.length === 0;
const isOneDay = ({ dates, weekdays }: Place) => weekdays ?? dates?.every(({ first, last }) => first === last);
const namesHoursOfDay = ({ times }: Item) => times?.places.some((place) => place.clock && isOneDay(place)) ?? false;
const namesDay = ({ times }: Item) => times?.segments.flat().some(({ day }) => day) ?? false;
const spanIn = (items: readonly Item[]) => ({ from: items[0]?.from ?? 0, to: items.at(-1)?.to ?? 0 });

function spanOf({ items, from, to }: Clause, isWhole = false): { from: number; to: number } {
  const spoken = items.filter(({ tag }) => isWhole || tag !== 'f');
  return { from: spoken[0]?.from ?? from, to: items.at(-1)?.to ?? to };
}

const TIMELY =
  /\b(?:weeks?|months?|fortnight|weekend|term|semester|quarter|holidays?|easter|thanksgiving|ramadan|spring|summer|autumn|winter)\b/i;
const ASIDE =
  /\b(?:one|right|straight|just|time|any\w*|hours?|min\w*) (?:after|before)\b|\bin between\b|\bfollowing\b|^(?:after|before)\b|\bafterwards\b|\bone of (?:them|those)\b|\brest of (?:the|that) day\b/i;
/** An hour that is named only for a case asks for nothing: "if it has to be at seven, then only on Friday". */
const CASE = /^(?:and |but )?if (?:it|we|this) (?:(?:really|absolutely) )?(?:has|have|must|needs?)\b/i;
const OTHERWISE = /\b(?:otherwise|else|failing (?:that|which)|if (?:not|neither|that|it) ?(?!works|suits|is ok))\b/i;
const AFTER_THAT = /(?<!\b(?:hours?|min|mins|minutes) )\bafter (?:that|then)\b/i;
const FIXED =
  /\b(?:do|does|did) (?:it|this|that|we) (?:\w+ )?(?:have|need) to\b|\bmust (?:it|this|that|we) |\bneed (?:the |all |my |that )*(?:\w+day|morning|afternoon|evening)s? for (?!me|us|this|it|you|our)/;
/** Each number, comma and dash may begin or end a time, and the ways to combine them grow faster than the text. */
const MARK = /^[\d,;–-]/;
const MOST_MARKS = 40;

/** Returns true for a text that is not English: hardly any of its words is in the lexicon or names a time. */
function isForeign(tokens: readonly Token[], clauses: readonly Clause[]): boolean {
  const named = clauses.flatMap(({ items }) => items.filter(({ times, moving }) => times ?? moving));
  const isNamed = (token: Token) => named.some(({ from, to }) => tokens.slice(from, to).includes(token));
  const words = tokens.filter(({ word }) => /^\p{L}{2,}$/u.test(word));
  const known = words.filter((token) => isKnown(token.word) || isNamed(token));
  return words.length < 3
    ? known.length === 0 && words.some(({ word }) => /[^a-z]/.test(word))
    : known.length / words.length < 0.4;
}
