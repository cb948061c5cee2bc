import type { Mention } from './segments.ts';

// Everything is read word by word, forwards or backwards from the mention, and no word twice by the same rule: what
// people write costs time in proportion to its length.

/** One of the words; `_` stands for a space within one, of which there are three at most. */
const any = (words: string) => `(?:${[...new Set(words.trim().split(/\s+/))].join('|').replaceAll('_', ' ')})`;
const LONGEST = 4;

const word = (words: string) => new RegExp(`^${any(words)}$`);
const ending = (words: string) => new RegExp(`\\b${any(words)}$`);
const beginning = (words: string) => new RegExp(`^${any(words)}\\b`);

const TIMES = `the in at after before around from mornings? afternoons? evenings? nights? noon lunch am pm
  \\d[\\d:]*(?:am|pm)? time slots? meetings? calls? this next week`;
const ADVERBS = `too so very really always usually just quite pretty a bit kind of the my more most much all
  also generally often typically an even still already both probably likely far way totally completely fully extremely
  super incredibly ever`;

/** Words that may stand between a sentiment and what it is about. */
const FILLING = word(`do make have having like want work meet meeting be been being on in to the any a an this next
  every all early late really take schedule scheduling book booking meetings? calls? for prefer available free with during
  my at it it's if was were time slots? space something anything use of by me us go coming following talk chat speak
  things first thing great good keen usually`);
/** The time of day that may follow a day. */
const TIME = word(TIMES);
const ADVERB = word(ADVERBS);
const TIME_OR_ADVERB = word(`${TIMES} ${ADVERBS}`);
const SURE = word('sure think believe certain whether if that know expect see');

const BE = beginning(`is are was were be being looks? feels? gets? seems? tend_to_be
  (?:would|will|might|may|could|can|should)(?:_be)?`);
const BAD = beginning(`hard bad worse worst tough difficult tricky rough busy busiest awful terrible horrible impossible
  out packed full blocked booked painful pain problem problematic mess crazy hectic slammed inconvenient challenging
  no_good no-go no_go off struggle unavailable tight not brutal insane nightmare taken reserved sacred stressful
  no-meeting for_(?:deep_work|focus|family|thinking|writing|heads.down|school)`);
const GOOD = beginning(`better best good great fine ok okay perfect ideal preferable preferred possible easier easiest
  free open available nice lovely works? suits? fits? convenient doable favou?rite productive option alright all_right
  wonderful clear`);
const REPELS = beginning('suck sucks stink stinks kill kills off');
const KEPT = beginning('free clear open for off');
const INSTEAD = beginning('instead rather please');
const NEGATED = beginning("\\w+n't not never rarely hardly");
const THEN_BE = beginning('be');
const ENDS = word('is are would does do can could');

const NOT =
  ending(`not no never neither nor \\w+n't avoid avoiding skip skipping hate dislike without off except excluding
  besides than from instead_of less fewer stop out away busy unavailable booked struggle struggling blocked swamped
  tied_up rarely drop tired exhausted useless apart over (?:any\\w*|every\\w*|all)(?:_days?|_time)?_but`);
const WANT = ending(`prefer prefers preferred preferably preference like love enjoy favou?r rather ideally better best
  how_about what_about let's lets try make_it maybe perhaps possibly free available open suggest propose happy okay fine
  good great until till productive (?:can|could|should|shall|may|might)_(?:we|you|i)(?:_please)? why_not is_there any_chance
  do_you_have want need sharpest energetic concentrate only peak at_my_best works?`);
const KEEP = ending('(?:keep|leave|reserve|protect|guard|hold|block)(?:_off|_out)?');
const DOUBT = ending("not doubt \\w+n't");
const TO = ending('to until till onto for into with');
const MOVE = ending(`move moved moving push pushed pushing shift shifted bump switch change swap reschedule rescheduled
  rescheduling postpone postponed delay bring put set`);

/** Where the last words end in the cue, with nothing but filling behind it: the index of the cue's last word, else -1. */
function endIn(words: string[], cue: RegExp, filling: RegExp): number {
  for (let at = words.length - 1; at >= 0; at--) {
    if (cue.test(words.slice(Math.max(0, at - LONGEST + 1), at + 1).join(' '))) return at;
    if (!filling.test(words[at] ?? '')) return -1;
  }
  return -1;
}

/** The words behind the cue, when nothing but filling stands before it. */
function behind(words: string[] | undefined, filling: RegExp, cue: RegExp): string[] | undefined {
  for (let at = 0; words !== undefined && at < words.length; at++) {
    const found = cue.exec(words.slice(at, at + LONGEST).join(' '))?.[0];
    if (found !== undefined) return words.slice(at + found.split(' ').length);
    if (!filling.test(words[at] ?? '')) return undefined;
  }
  return undefined;
}

/** What a segment says about the mention; undefined when it only names it. */
export function sentimentOf({ before, after }: Pick<Mention, 'before' | 'after'>): 'liked' | 'disliked' | undefined {
  const has = (words: string[] | undefined, filling: RegExp, cue: RegExp) => behind(words, filling, cue) !== undefined;
  const endsIn = (cue: RegExp, filling = FILLING) => endIn(before, cue, filling) >= 0;
  const is = behind(after, TIME, BE);
  const isNot = behind(after, TIME, NEGATED);
  const isGood = has(after, TIME_OR_ADVERB, GOOD) || has(is, ADVERB, GOOD);
  const isLeftAlone = after.every((one) => TIME.test(one)) || has(after, TIME, KEPT);
  const isDoubted = endsIn(DOUBT, SURE) && SURE.test(before.at(-1) ?? '');
  if (
    endsIn(NOT) ||
    has(is, ADVERB, BAD) ||
    has(isNot, ADVERB, GOOD) ||
    has(behind(isNot, ADVERB, THEN_BE), ADVERB, GOOD) ||
    has(after, TIME_OR_ADVERB, REPELS) ||
    (isDoubted && isGood) ||
    (endsIn(KEEP) && isLeftAlone)
  )
    return 'disliked';
  const isLiked =
    endsIn(WANT) ||
    before.slice(0, Math.max(0, endIn(before, TO, FILLING))).some((one) => MOVE.test(one)) ||
    isGood ||
    has(after, TIME, INSTEAD) ||
    (after.at(-1) !== undefined &&
      ENDS.test(after.at(-1) ?? '') &&
      after.slice(0, -1).every((one) => TIME.test(one))) ||
    (after[0] ?? '').startsWith('person');
  return isLiked ? 'liked' : undefined;
}
