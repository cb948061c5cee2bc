import type { Move, Reading } from '../../engine/wish/reading.ts';
import { countAt, numberOf } from './clocks.ts';
import { meaningsOf, phrasesOf, skip, type Word } from './lexicon.ts';

type Amount = { minutes?: number | undefined; days?: number | undefined; next: number };

/**
 * Words that say how the meeting should move, or something about times without a day or an hour, read at one place of a
 * text. `tag` is their class in the patterns of the grammar:
 * D moves earlier or later · C complains of the hour · U asks for soon · O asks for another day · B speaks of pauses · Z
 * limits the meetings of a day · Q an amount that says nothing by itself.
 */
export type Moving = { next: number } & (
  | { tag: 'D'; move: Omit<Move, 'quote'> }
  | { tag: 'C'; isLate: boolean }
  | { tag: 'U'; soon: NonNullable<Reading['soon']>['when'] }
  | { tag: 'B'; isClose?: boolean; minutes?: number | undefined }
  | { tag: 'Z'; most: number }
  | { tag: 'O' | 'Q' }
);

const [HOUR, WEEK] = [60, 7];
const MINUTES = new Map(Object.entries({ minute: 1, hour: HOUR, h: HOUR }));
const DAYS = new Map(Object.entries({ day: 1, days: 1, week: WEEK, fortnight: 2 * WEEK, month: 4 * WEEK }));
const COUNTS = new Map(
  Object.entries({ half: 0.5, quarter: 0.25, few: 3, couple: 2, a: 1, an: 1, another: 1, extra: 1 }),
);

export function amountAt(word: Word, at: number): Amount | undefined {
  const numberAt = (i: number) => {
    const count = COUNTS.get(word(i));
    return count ? { count, next: i + 1 } : countAt(word, i);
  };
  const number = (/^(?:a|an|another|extra)$/.test(word(at)) && numberAt(at + 1)) || numberAt(at);
  if (number === undefined) return undefined;
  let { count, next: i } = (/^(?:-|to|or)$/.test(word(number.next)) && numberAt(number.next + 1)) || number;
  const isHalf = () => word(i) === 'and' && word(i + 1) === 'a' && word(i + 2) === 'half';
  i = skip(word, i, /^(?:of|an|a|more|extra|full|clear|working|whole|good|other|further|business)$/);
  if (isHalf()) [count, i] = [count + 0.5, i + 3];
  const [minutes, days] = [MINUTES.get(word(i)), DAYS.get(word(i))];
  if (minutes === undefined && days === undefined) return undefined;
  i += 1;
  if (isHalf()) [count, i] = [count + 0.5, i + 3];
  if (word(i) === 'or' && /^(?:two|so|three|2)$/.test(word(i + 1))) i += 2;
  if (word(i) === 'more' || word(i) === 'extra') i += 1;
  if (minutes !== undefined) return { minutes: count * minutes, next: i };
  return Number.isInteger(count * (days ?? 1)) ? { days: count * (days ?? 1), next: i } : undefined;
}

const MOST = phrasesOf(
  'no more than|not more than|at most|maximum of|a maximum of|maximum|max|up to|more than|limit of|limit me to',
);
const CLOSE = phrasesOf(
  'back to back to back|back to back|back 2 back|backtoback|b2b|no gaps between|no gap between|no breaks between|no break between|no break before|no break after|no breaks|no gaps|one after another|one after the other|without a break',
);
const PAUSE =
  /^(?:breather|breathing space|breathing room|breathing time|buffer|buffers|gap|gaps|breaks|break|pause|space|time|minute)$/;

function pauseAt(word: Word, at: number): Moving | undefined {
  const close = CLOSE(word, at);
  if (close > 0) {
    const next = at + close;
    if (word(at) === 'b2b' && /^(?:sales|company|client|business|product|marketing|call|deal)$/.test(word(next)))
      return undefined;
    return { tag: 'B', isClose: true, next: /^(?:meeting|calls?)$/.test(word(next)) ? next + 1 : next };
  }
  const amount = amountAt(word, at);
  let i = amount?.next ?? at;
  if (amount === undefined && /^(?:a|some|small|short|proper|decent)$/.test(word(i)))
    i = skip(word, i + 1, /^(?:little|bit|of|a|small|short|proper|decent)$/);
  const isPause = PAUSE.test(word(i));
  if (isPause && word(i) !== 'minute') i += 1;
  if (isPause) i = skip(word, i, /^(?:space|room|time|of|free|break|gap|clear)$/);
  const isBetween =
    /^(?:between|before|after|around)$/.test(word(i)) &&
    /^(?:meeting|calls?|each|every|my|any|them|one|all)$/.test(word(i + 1));
  const isWished = isPause && word(at) === 'a' && /^(?:need|needs|me|like|want)$/.test(word(at - 1));
  if (!isBetween && !isWished && !(isPause && /^(?:breather|buffers?|breathing)$/.test(word(at === i ? at : i - 1))))
    return undefined;
  if (amount === undefined && !isPause) return undefined;
  if (isBetween) i = skip(word, i + 2, /^(?:meeting|calls?|one|of|them|and)$/);
  const minutes = amount?.minutes;
  if (minutes !== undefined && (minutes > 120 || !Number.isInteger(minutes))) return undefined;
  return { tag: 'B', minutes, next: i };
}

function limitAt(word: Word, at: number): Moving | undefined {
  const most = MOST(word, at);
  const count = numberOf(word(at + most));
  if (count === undefined || count < 1 || count > 10) return undefined;
  let i = skip(word, at + most + 1, /^(?:external|client|video|of|these|back)$/);
  if (/^(?:meeting|calls?|sessions?|appointment|one)$/.test(word(i))) i += 1;
  else if (most === 0) return undefined;
  if (!(/^(?:a|per|each|in|every)$/.test(word(i)) && /^(?:day|a|one|any)$/.test(word(i + 1)))) return undefined;
  i += word(i) === 'in' ? 3 : 2;
  if (/^(?:max|maximum|tops)$/.test(word(i))) i += 1;
  return { tag: 'Z', most: count, next: i };
}

function moved(next: number, direction: Move['direction'], amount: Omit<Amount, 'next'>, exactly = true): Moving {
  const { days, minutes } = amount;
  return { tag: 'D', move: { direction, what: days ? 'day' : 'clock', by: days ?? minutes, exactly }, next };
}
const loose = (next: number, direction: Move['direction'], what: 'clock' | 'time'): Moving => {
  return { tag: 'D', move: { direction, what, exactly: false }, next };
};

const OBJECT = /^(?:it|this|that|us|things|the|our|meeting|call|session|one|mine|chat|sync)$/;
const VERBS = meaningsOf(
  ['later', 'push|pushing|pushed|delay|delaying|delayed|postpone|postponing|postponed|defer|deferred|nudge'],
  ['earlier', 'prepone|preponed|advance|advanced'],
  [undefined, 'shift|shifting|shifted|slide|bump|bumped|move|moving|moved|shove|knock|kick'],
  [undefined, 'bring|bringing|brought|pull|pulled|put'],
);
const DONE = /ed$|^brought$/;
const AFTER_VERB = meaningsOf(['later', 'back|out|off|down|along'], ['earlier', 'forward|forwards|ahead|up']);
const AFTER_AMOUNT = meaningsOf(['later', 'back|later|on'], ['earlier', 'earlier|forward|forwards|ahead']);
const SOON = meaningsOf(
  [
    'soonest',
    'as soon as possible|as soon as you can|as soon as we can|as early as possible|as early as you can|at your earliest convenience|at the earliest opportunity|the sooner the better|sooner the better|sooner rather than later|earliest available|next available|first available|straight away|right away|immediately|asap|urgently|soonest',
  ],
  ['sooner', 'the earlier the better|earlier the better|sooner'],
);
const THAN = phrasesOf('than planned|than scheduled|than booked');
const IN_DAY = phrasesOf(
  'in the day|on in the day|on that day|that day|on the day|that same day|on the same day|than that|than planned|than this',
);
const IN_HOURS = phrasesOf('in the day|in the morning|in my day');
const OTHER_DAY = phrasesOf(
  'another day|a different day|different day|another weekday|some other day|any other day|other days|other day|an alternative day',
);
const DEGREE =
  /^(?:too|bit|little|very|so|quite|rather|super|awfully|ridiculously|really|pretty|far|way|much|fairly|that|rather|horribly)$/;

const NO_COMPLAINT =
  /^(?:with|notice|to|stage|reply|response|now|change|on|next|this|mon|cancel|morning|afternoon|evening|in$)/;

export function movingAt(word: Word, at: number): Moving | undefined {
  const soon = SOON(word, at);
  if (soon) return { tag: 'U', soon: soon.meaning, next: soon.next };
  const other = OTHER_DAY(word, at);
  if (other > 0) return { tag: 'O', next: at + other };
  const read = limitAt(word, at) ?? pauseAt(word, at) ?? complaintAt(word, at) ?? verbAt(word, at);
  return read ?? amountMove(word, at) ?? looseAt(word, at);
}

function amountMove(word: Word, at: number): Moving | undefined {
  const amount = amountAt(word, at);
  if (amount === undefined) return undefined;
  const { next } = amount;
  if (word(at - 1) === '+') return moved(next, 'later', amount);
  const after = next + 1 + THAN(word, next + 1);
  if (word(next) === 'later') return moved(after, 'later', amount);
  if (word(next) === 'earlier' || word(next) === 'sooner') return moved(after, 'earlier', amount);
  const isNeed = /^(?:need|needs|me|have|want|needed|with|us)$/.test(word(at - 1)) && amount.days !== undefined;
  return isNeed ? moved(next, 'later', amount, false) : { tag: 'Q', next };
}

function verbAt(word: Word, at: number): Moving | undefined {
  const verb = VERBS(word, at);
  if (!verb || (DONE.test(word(at)) && !/^(?:be|get)$/.test(word(at - 1)))) return undefined;
  let i = skip(word, at + 1, OBJECT);
  if (word(at) === 'advance' && i === at + 1) return undefined;
  const way = AFTER_VERB(word, i);
  const direction = way?.meaning ?? verb.meaning;
  i = way?.next ?? i;
  const amount = amountAt(word, skip(word, i, /^(?:by|for|about|around|just|say|at)$/));
  const own = amount && AFTER_AMOUNT(word, amount.next);
  if (amount) return moved(own?.next ?? amount.next, own?.meaning ?? direction ?? 'later', amount);
  if (direction === undefined) return undefined;
  i = skip(word, i, /^(?:a|bit|little|slightly|touch|somewhat|please|if|possible)$/);
  return /^(?:[.,;!?)]|because|but|so|and|as|or|)$/.test(word(i)) ? loose(i, direction, 'time') : undefined;
}

function looseAt(word: Word, at: number): Moving | undefined {
  const i = skip(word, at, /^(?:a|bit|little|slightly|somewhat|much|touch|tad|any|some|even|possibly)$/);
  const direction = word(i);
  if (direction !== 'later' && direction !== 'earlier') return undefined;
  let next = i + 1;
  if (/^(?:date|day)s?$/.test(word(next))) return loose(next + 1, direction, 'time');
  const inDay = IN_DAY(word, next);
  const isBound = /^(?:this|next|than)$/.test(word(next)) || (word(next) === 'in' && word(next + 1) === 'the');
  if (inDay === 0 && isBound) return undefined;
  next += inDay;
  if (word(next) === 'on' && /^(?:|[.,;!?)])$/.test(word(next + 1))) next += 1;
  if (/^(?:slot|start|time|hour|finish)$/.test(word(next))) next += 1;
  return loose(next, direction, 'clock');
}

function complaintAt(word: Word, at: number): Moving | undefined {
  const start = word(at) === 'a' ? at + 1 : at;
  const i = skip(word, start, DEGREE);
  const isFirm = i > skip(word, start, /^(?:very|really|pretty|super|fairly|that)$/);
  const of = word(i);
  if (i === at || (of !== 'early' && of !== 'late')) return undefined;
  const inHours = IN_HOURS(word, i + 1);
  const isOther = NO_COMPLAINT.test(word(i + 1)) || !(isFirm || word(i + 1) === 'for');
  return isOther && inHours === 0 ? undefined : { tag: 'C', isLate: of === 'late', next: i + 1 + inHours };
}
