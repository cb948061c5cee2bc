import type { DayPart } from '../../scheduling/moment.ts';
import type { Calendar } from './calendar.ts';
import type { Bound, Mention } from './mentions.ts';
import { type Marked, segmentsOf } from './scan.ts';
import { clustersOf, type Stance } from './stance.ts';

/** What a text makes of a day or a part of the day in general; `named` when it says nothing good or bad of it. */
export type Opinion = 'disliked' | 'liked' | 'allowed' | 'named';

/** Opinions of weekdays, 0 for Monday to 6 for Sunday, and of parts of the day; those nothing else will do for. */
export interface Opinions {
  days: Map<number, Opinion>;
  parts: Map<DayPart, Opinion>;
  onlyDays: Set<number>;
  onlyParts: Set<DayPart>;
  /** Whether meetings want a pause between them. */
  pauses: 'wanted' | 'unwanted' | undefined;
}

const RANK: Opinion[] = ['named', 'allowed', 'liked', 'disliked'];
const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const NAME = /\b(?:mon|tue|wed|thu|fri|sat|sun)(?!th)/g;
const ASKED_DAY = /\b(mon|tue|wed|thu|fri|sat|sun)[a-z]* \?/g;
const hour = (hours: number) => hours * 60;

/** What is said in general hangs on no date: some Monday, and a meeting at ten on the day after. */
const ANY: Calendar = { today: 4, oldDay: 5, oldMinute: hour(10), durationMinutes: 30 };

/** What plain words say about days and parts of the day in general; of two opinions the worse counts. */
export function opinionsOf(text: string): Opinions {
  const opinions: Opinions = {
    days: new Map(),
    parts: new Map(),
    onlyDays: new Set(),
    onlyParts: new Set(),
    pauses: undefined,
  };
  for (const segment of segmentsOf(text, ANY))
    for (const { mentions, stance } of clustersOf(segment)) {
      const isOfOneDay = mentions.some(({ mention }) => mention.kind === 'days');
      const isAskedFor = stance.isOnly || mentions.some(({ mention }) => mention.kind === 'same_time');
      for (const marked of mentions) {
        const opinion = isAskedFor && opinionOf(stance) === 'named' ? 'liked' : opinionOf(stance);
        const days = daysIn(marked);
        const part =
          isOfOneDay && marked.mention.kind === 'clock' && !marked.mention.isPoint ? undefined : partIn(marked, stance);
        const pauses = pausesIn(marked.mention, stance);
        if (pauses !== undefined && opinions.pauses !== 'unwanted') opinions.pauses = pauses;
        for (const day of days) add(opinions.days, day, opinion);
        if (part !== undefined) add(opinions.parts, part.part, part.opinion ?? opinion);
        if (!stance.isOnly || opinion === 'disliked') continue;
        if (marked.mention.kind === 'weekdays') for (const day of days) opinions.onlyDays.add(day);
        if (part !== undefined && marked.mention.kind === 'clock') opinions.onlyParts.add(part.part);
      }
    }
  // "Saturday?" asks for it.
  for (const [, name = ''] of text.matchAll(ASKED_DAY)) {
    const day = DAY_NAMES.indexOf(name);
    if (opinions.days.get(day) === 'named') opinions.days.set(day, 'liked');
  }
  return opinions;
}

function add<K>(opinions: Map<K, Opinion>, key: K, opinion: Opinion): void {
  const known = opinions.get(key);
  if (known === undefined || RANK.indexOf(opinion) > RANK.indexOf(known)) opinions.set(key, opinion);
}

function opinionOf({ sign, ground }: Stance): Opinion {
  if (ground === 'bare') return 'named';
  if (sign < 0 || ground === 'source') return 'disliked';
  return ground === 'asked' || ground === 'liked' ? 'liked' : 'allowed';
}

/** A pause is wanted wherever one is spoken of, unless nobody needs it; meetings back to back are minded unless welcomed. */
function pausesIn({ kind }: Mention, stance: Stance): Opinions['pauses'] {
  if (kind === 'pause') return stance.isDenied && stance.needs ? 'unwanted' : 'wanted';
  if (kind !== 'back_to_back') return undefined;
  const isGood = stance.isLiked || stance.ground === 'liked' || stance.ground === 'allowed';
  if (!stance.isDenied) return isGood && stance.sign > 0 ? 'unwanted' : 'wanted';
  return stance.isAsked || stance.isDeniedWhole ? 'wanted' : undefined;
}

function daysIn({ mention, text }: Marked): number[] {
  if (mention.kind === 'weekdays') return mention.days;
  return mention.kind === 'days' ? [...text.matchAll(NAME)].map(([name]) => DAY_NAMES.indexOf(name)) : [];
}

/** The part of the day that is spoken of, with an opinion of its own where the mention brings one. */
function partIn({ mention, bound, text }: Marked, stance: Stance): { part: DayPart; opinion?: Opinion } | undefined {
  switch (mention.kind) {
    case 'complaint':
      return complainsOf(stance)
        ? { part: mention.of === 'early' ? 'morning' : 'evening', opinion: 'disliked' }
        : undefined;
    case 'relative':
      if (stance.ground !== 'asked' || !/ (?:times?|slots?|start|hour|day)$/.test(text)) return undefined;
      return { part: mention.to === 'later' ? 'morning' : 'evening', opinion: 'disliked' };
    case 'clock':
      if (/ person$/.test(text)) return partOfSpan(mention, stance.sign < 0 ? 'disliked' : 'liked');
      return mention.isPoint ? partOfPoint(mention.from, bound, stance) : partOfHours(mention, bound, stance);
    default:
      return undefined;
  }
}

/** "Nothing too early" complains, "not too early" and "it is not too early" do not. */
const complainsOf = ({ isTold, isDenied, isDeniedWhole }: Stance) => (isDenied ? isDeniedWhole : !isTold);

function partOfSpan(
  { from, to }: { from: number; to: number },
  opinion?: Opinion,
): { part: DayPart; opinion?: Opinion } | undefined {
  const part = to <= hour(12) ? 'morning' : from >= hour(17) ? 'evening' : to > hour(13) ? 'afternoon' : undefined;
  return part && { part, ...(opinion && { opinion }) };
}

function partOfHours(span: Mention & { kind: 'clock' }, bound: Bound | undefined, { sign }: Stance) {
  if (bound === undefined || bound === 'at') return partOfSpan(span);
  if (bound === 'after')
    return span.to <= hour(13) && sign > 0 ? partOfSpan({ from: hour(12), to: hour(17) }) : undefined;
  return bound === 'before' && span.from <= hour(12) ? partOfSpan({ from: 0, to: hour(12) }) : undefined;
}

function partOfPoint(
  minute: number,
  bound: Bound | undefined,
  { sign, ground, isAsked }: Stance,
): { part: DayPart; opinion?: Opinion } | undefined {
  const isEarlyEdge = (bound === 'before' || bound === 'until') && minute <= hour(12);
  if (isEarlyEdge && sign !== 0) return ground === 'bare' ? undefined : { part: 'morning' };
  if (bound === 'after') return sign < 0 && minute >= hour(15) ? { part: 'evening' } : undefined;
  if (bound !== undefined && bound !== 'at') return undefined;
  const isComplaint = sign < 0 || (!isAsked && ground === 'bare');
  if (isComplaint && minute < hour(sign < 0 ? 10 : 8)) return { part: 'morning', opinion: 'disliked' };
  return isComplaint && minute >= hour(20) ? { part: 'evening', opinion: 'disliked' } : undefined;
}
