import type { Move } from '../../engine/wish/reading.ts';
import { phrasesOf, skip } from './lexicon.ts';
import { type Amount, amountAt, limitAt, type Moving, pauseAt } from './limits.ts';
import type { Token } from './tokens.ts';

const moved = (
  next: number,
  direction: Move['direction'],
  { days, minutes }: Omit<Amount, 'next'>,
  exactly = true,
): Moving => ({
  tag: 'D',
  move: { direction, what: days === undefined ? 'clock' : 'day', by: days ?? minutes, exactly },
  next,
});
const loose = (next: number, direction: Move['direction'], what: 'clock' | 'time'): Moving => {
  return { tag: 'D', move: { direction, what, exactly: false }, next };
};

const OBJECT = /^(?:it|this|that|us|things|the|our|meeting|call|session|one|mine|chat|sync)$/;
const LATER_VERB = /^(?:push|pushed|pushing|delay|delayed|postpone|postponed|postponing|defer|nudge)$/;
const EITHER_VERB = /^(?:shift|shifting|slide|nudge|bump|move|moving|shove|knock|kick)$/;
const VERB =
  /^(?:push|pushing|move|moving|shift|shifting|bring|bringing|pull|put|bump|slide|nudge|knock|kick|shove|delay|delaying|postpone|postponing|defer|prepone|advance)$/;
const VERB_DONE = /^(?:pushed|moved|shifted|brought|pulled|put|bumped|delayed|postponed|deferred|preponed|advanced)$/;
const LATER = /^(?:back|out|off|down|along)$/;
const EARLIER = /^(?:forwards?|ahead|up)$/;
const SOON = {
  soonest: phrasesOf(
    'as soon as possible|as soon as you can|as soon as we can|as early as possible|as early as you can|at your earliest convenience|at the earliest opportunity|the sooner the better|sooner the better|sooner rather than later|earliest available|next available|first available|straight away|right away|immediately|asap|urgently|soonest',
  ),
  sooner: phrasesOf('the earlier the better|earlier the better|sooner'),
};
const THAN = phrasesOf('than planned|than scheduled|than booked');
const IN_DAY = phrasesOf(
  'in the day|on in the day|on that day|that day|on the day|that same day|on the same day|than that|than planned|than this',
);
const IN_HOURS = phrasesOf('in the day|in the morning|in my day');
const OTHER_DAY = phrasesOf(
  'another day|a different day|different day|some other day|any other day|other days|other day|an alternative day',
);
const DEGREE =
  /^(?:too|bit|little|very|so|quite|rather|super|awfully|ridiculously|really|pretty|far|way|much|fairly|that|rather|horribly)$/;

/** Words after "early" or "late" that make it no complaint: "too early to say", "late notice". */
const NO_COMPLAINT =
  /^(?:with|notice|to|stage|reply|response|now|change|on|next|this|mon|cancel|morning|afternoon|evening|in$)/;

/** Reads words that move the meeting, or that complain of its hour, at a place of a text. */
export function movingAt(tokens: readonly Token[], at: number): Moving | undefined {
  const word = (i: number) => tokens[i]?.word ?? '';
  for (const soon of ['soonest', 'sooner'] as const) {
    const length = SOON[soon](word, at);
    if (length > 0) return { tag: 'U', soon, next: at + length };
  }
  const other = OTHER_DAY(word, at);
  if (other > 0) return { tag: 'O', next: at + other };
  const read = limitAt(word, at) ?? pauseAt(word, at) ?? complaintAt(word, at) ?? verbAt(word, at);
  return read ?? amountMove(word, at) ?? looseAt(word, at);
}

function amountMove(word: (i: number) => string, at: number): Moving | undefined {
  const amount = amountAt(word, at);
  if (amount === undefined) return undefined;
  const { next } = amount;
  const after = next + 1 + THAN(word, next + 1);
  if (word(next) === 'later') return moved(after, 'later', amount);
  if (word(next) === 'earlier' || word(next) === 'sooner') return moved(after, 'earlier', amount);
  const isNeed = /^(?:need|needs|me|have|want|needed|with|us)$/.test(word(at - 1)) && amount.days !== undefined;
  return isNeed ? moved(next, 'later', amount, false) : { tag: 'Q', minutes: amount.minutes, next };
}

/** Reads "push it back half an hour", "bring forward by a day" and "postpone". */
function verbAt(word: (i: number) => string, at: number): Moving | undefined {
  const verb = word(at);
  if (!VERB.test(verb) && !(VERB_DONE.test(verb) && /^(?:be|get)$/.test(word(at - 1)))) return undefined;
  let i = skip(word, at + 1, OBJECT);
  if (verb === 'advance' && i === at + 1) return undefined;
  const isLater = LATER.test(word(i)) || (!EARLIER.test(word(i)) && LATER_VERB.test(verb));
  const isEarlier = EARLIER.test(word(i)) || (!LATER.test(word(i)) && /^(?:prepone|advance)/.test(verb));
  const direction = isLater ? 'later' : isEarlier ? 'earlier' : undefined;
  if (LATER.test(word(i)) || EARLIER.test(word(i))) i += 1;
  const isBy = /^(?:by|for)$/.test(word(i));
  if (isBy) i += 1;
  if (/^(?:about|around|just|say|at)$/.test(word(i))) i += 1;
  const amount = amountAt(word, i);
  if (amount) {
    const own = word(amount.next);
    const way = /^(?:back|later|on)$/.test(own)
      ? 'later'
      : /^(?:earlier|forwards?|ahead)$/.test(own)
        ? 'earlier'
        : undefined;
    const isMoved = direction !== undefined || EITHER_VERB.test(verb) || (way !== undefined && !isBy);
    if (isMoved) return moved(way ? amount.next + 1 : amount.next, way ?? direction ?? 'later', amount);
  }
  if (direction === undefined) return undefined;
  i = skip(word, i, /^(?:a|bit|little|slightly|touch|somewhat|please|if|possible)$/);
  return /^(?:[.,;!?)]|because|but|so|and|as|or|)$/.test(word(i)) ? loose(i, direction, 'time') : undefined;
}

/** Reads "a bit later", "earlier in the day" and "more time". */
function looseAt(word: (i: number) => string, at: number): Moving | undefined {
  if (/^(?:more|extra|further|additional)$/.test(word(at)) && word(at + 1) === 'time')
    return loose(at + 2, 'later', 'time');
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

/** Reads "too early", "a bit late in the day" and the like. */
function complaintAt(word: (i: number) => string, at: number): Moving | undefined {
  const start = word(at) === 'a' ? at + 1 : at;
  const i = skip(word, start, DEGREE);
  const isFirm = i > skip(word, start, /^(?:very|really|pretty|super|fairly|that)$/);
  const of = word(i);
  if (i === at || (of !== 'early' && of !== 'late')) return undefined;
  const inHours = IN_HOURS(word, i + 1);
  const isOther = NO_COMPLAINT.test(word(i + 1)) || !(isFirm || word(i + 1) === 'for');
  return isOther && inHours === 0 ? undefined : { tag: 'C', isLate: of === 'late', next: i + 1 + inHours };
}
