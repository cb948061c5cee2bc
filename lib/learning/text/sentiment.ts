import { MENTION } from './segments.ts';

/** One of the words; `_` stands for a space within one. */
const any = (words: string) => `(?:${words.trim().split(/\s+/).join('|').replaceAll('_', ' ')})`;

/** Words that may stand between a sentiment and what it is about. */
const FILL = `(?:\\s+${any(`do make have having like want work meet meeting be been being on in to the any a an this next
  every all early late really take schedule scheduling book booking meetings? calls? for prefer available free with during
  my at it it's if was were time slots? space something anything use of by me us go coming following talk call chat speak
  things first thing great good keen usually`)})*`;
/** The time of day that may follow a day. */
const TIME = `(?:\\s+${any(`the in at after before around from mornings? afternoons? evenings? nights? noon lunch am pm
  \\d[\\d:]*(?:am|pm)? time slots? meetings? calls? this next week`)})*`;
const ADVERB = `(?:\\s+${any(`too so very really always usually just quite pretty a bit kind of the my more most much all
  also generally often typically an even still already both probably likely far way totally completely fully extremely
  super incredibly ever`)})*`;
const BE = `(?:\\s+${any(`is are was were be being looks? feels? gets? seems? tend_to_be
  (?:would|will|might|may|could|can|should)(?:_be)?`)}|'s|'re)`;
const BAD = any(`hard bad worse worst tough difficult tricky rough busy busiest awful terrible horrible impossible out
  packed full blocked booked painful pain problem problematic mess crazy hectic slammed inconvenient challenging no_good
  no-go no_go off struggle unavailable tight not brutal insane nightmare taken reserved sacred stressful no-meeting
  for_(?:deep_work|focus|family|thinking|writing|heads.down|school)`);
const GOOD =
  any(`better best good great fine ok okay perfect ideal preferable preferred possible easier easiest free open
  available nice lovely works? suits? fits? convenient doable favou?rite productive option alright all_right wonderful
  clear`);
const NOT = any(`not no never neither nor \\w+n't avoid avoiding skip skipping hate dislike without off except excluding
  besides than from instead_of less fewer stop out away busy unavailable booked struggle struggling blocked swamped
  tied_up rarely drop tired exhausted useless apart over (?:any\\w*|every\\w*|all)(?:_days?|_time)?_but`);
const WANT = any(`prefer prefers preferred preferably preference like love enjoy favou?r rather ideally better best
  how_about what_about let's lets try make_it maybe perhaps possibly free available open suggest propose happy okay fine
  good great until till productive (?:can|could|should|shall|may|might)_(?:we|you|i)(?:_please)? why_not is_there any_chance
  do_you_have want need sharpest energetic concentrate only peak at_my_best works?`);
const MOVE = any(`move moved moving push pushed pushing shift shifted bump switch change swap reschedule rescheduled
  rescheduling postpone postponed delay bring put set`);
const DOUBT = "\\b(?:not|doubt|\\w+n't)(?:\\s+(?:sure|think|believe|certain|whether|if|that|know|expect|see))+";
const KEEP = '\\b(?:keep|leave|reserve|protect|guard|hold|block)(?: off| out)?';

const DISLIKED = [
  `\\b${NOT}${FILL}\\s+${MENTION}`,
  `${MENTION}${TIME}${BE}${ADVERB}\\s+${BAD}\\b`,
  `${MENTION}${TIME}\\s+(?:\\w+n't|not|never|rarely|hardly)${ADVERB}(?:\\s+be)?${ADVERB}\\s+${GOOD}\\b`,
  `${MENTION}${TIME}${ADVERB}\\s+(?:suck|sucks|stink|stinks|kill|kills|off)\\b`,
  `${DOUBT}\\s+${MENTION}${TIME}(?:${BE})?${ADVERB}\\s+${GOOD}\\b`,
  `${KEEP}${FILL}\\s+${MENTION}${TIME}(?:\\s+(?:free|clear|open|for|off)\\b|$)`,
].map((source) => new RegExp(source));

const LIKED = [
  `\\b${WANT}${FILL}\\s+${MENTION}`,
  `\\b${MOVE}\\b[^${MENTION}]*\\b(?:to|until|till|onto|for|into|with)${FILL}\\s+${MENTION}`,
  `${MENTION}${TIME}(?:${BE})?${ADVERB}\\s+${GOOD}\\b`,
  `${MENTION}${TIME}\\s+(?:instead|rather|please)\\b`,
  `${MENTION}${TIME}\\s+(?:is|are|would|does|do|can|could)$`,
  `${MENTION} person`,
].map((source) => new RegExp(source));

/** What a segment says about the mention that `MENTION` stands for; undefined when it only names it. */
export function sentimentOf(segment: string): 'liked' | 'disliked' | undefined {
  if (DISLIKED.some((pattern) => pattern.test(segment))) return 'disliked';
  return LIKED.some((pattern) => pattern.test(segment)) ? 'liked' : undefined;
}
