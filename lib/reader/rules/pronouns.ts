import type { Box } from '../../engine/wish/reading.ts';
import { addWanted } from './add-wanted.ts';
import type { Clause } from './clauses.ts';
import { isAgainst } from './places.ts';
import { type Progress, quoteOf } from './progress.ts';
import { rulesAgainst, rulesFor } from './standing.ts';
import { forgetTold } from './told.ts';

const POINTS =
  /\b(?:then|(?:one|any|either|some) of (?:them|those|these)|(?:those|these|they|that|this) (?:is|are) (?:when|my|our)|(?:inside|within|during|in) (?:that|those|them)(?: (?:window|slot|time|hours))?)$|\b(?:those|these|they|that|this) (?:is|are) (?:when|my|our|the only)\b|\b(?:then|(?:one|any|either) of (?:them|those|these)) (?:please|instead)\b/;
/** "Keep all calls within this", "nothing outside that": the hours named last are the only ones. */
const ENCLOSES =
  /\b(?:within|inside|stick(?:ing)? to|keep to|stay within|fit(?:s|ted)? (?:in|into|inside)|in between) (?:it|this|that|these|those|them|there|which)\b|\b(?:nothing|no [a-z]+|not(?: [a-z]+){0,2}|never(?: [a-z]+){0,2}) (?:beyond|outside) (?:of )?(?:it|this|that|these|those|them)\b|^(?:that|those) (?:is|are) (?:it|all)$/;
const LIMITS = /\b(?:before|after|once|until|past)\b/;
const LEFT_ALONE =
  /^(?:so |and |please |i |we |just )*(?:do not|never) (?:book|schedule|disturb|use|touch|call|plan)(?: (?:me|us|it|them|these|anything|over it))?$/;
const KEEPS =
  /\b(?:keep|leave|leaving|keeping) (?:it|that|those|them|this|these) (?:completely |well |all )?(?:clear|free|alone|be|open|empty|untouched)\b|\b(?:(?:keep|stay|steer) (?:off|clear of|away from)|avoid(?:ing)?) (?:it|that|those|them|these|then)\b|^(?:so |and |please |i |we |just )*(?:no|not|nothing|never|do not|(?:can|could|will|would) not)(?: (?!before|after|until|past|once)[a-z]+){0,4} (?:then|there|(?:those|that|these)|on (?:those|that|these) days?|(?:in|at|during) (?:that|those|these) (?:times?|hours?|slots?)|over (?:it|that|those))$/;

/**
 * Reads a clause that names no time and points to the one that was named last: "I'm off work on the 8th, do it then",
 * "those are my days for meetings", "keep it clear". Such a clause says what that time is for, so it takes the place of
 * what the clause before was read as. Returns false for any other clause.
 */
export function readPronoun(clause: Clause, progress: Progress): boolean {
  const { antecedent, reading, purpose, text } = progress;
  if (antecedent.length === 0 || progress.told === undefined) return false;
  const words = clause.items
    .map(({ text: word }) => word)
    .join(' ')
    .replace(/ [.,;!?]$/, '');
  // "Those are the only days I can talk without the office listening in" gives the reason last.
  const reason = clause.items.findIndex(({ tag, text: word }) => tag === 'j' && word === 'without');
  const said = reason < 0 ? clause.items : clause.items.slice(0, reason);
  const tags = said.map(({ tag }) => tag).join('');
  const quote = quoteOf(clause.items, text);
  if (purpose === 'context' && ENCLOSES.test(words)) {
    if (progress.last === 'only') return true;
    forgetTold(progress, 'refused');
    reading.standing.push(...rulesFor(antecedent, true, quote));
    progress.last = 'only';
    return true;
  }
  if (KEEPS.test(words) || (purpose === 'context' && LEFT_ALONE.test(words))) {
    if (isAgainst(progress.last)) return true;
    forgetTold(progress, 'refused');
    reading.refused.push(...antecedent.map((box) => ({ ...box, quote })));
    if (purpose === 'context') reading.standing.push(...rulesAgainst(antecedent, clause, quote, true));
    Object.assign(progress, { last: 'refused', isOutspoken: true });
    return true;
  }
  // "Before then" names a limit, which `readAntecedent` reads.
  if (clause.items.some(({ tag, text: word }) => tag === 'j' && LIMITS.test(word))) return false;
  if (!POINTS.test(words) || !/[agk]/.test(tags) || /[nbuhdlrtpqecx#]/.test(tags)) return false;
  if (progress.last === 'wanted' || progress.last === 'only') return true;
  forgetTold(progress, 'refused');
  if (purpose === 'context') reading.standing.push(...rulesFor(antecedent, /k|^[^g]*a/.test(tags), quote));
  else {
    // "Away until Monday, do it then" asks for Monday.
    for (const [{ last } = {}] of antecedent.filter(isOpen).map(({ dates = [] }) => dates))
      if (last !== undefined) reading.refused.push({ dates: [{ last: last - 1 }], quote });
    addWanted(
      antecedent.map((box) => ({ ...atItsEnd(box), strength: 'must', quote })),
      progress,
      clause.joint,
    );
  }
  progress.last = 'wanted';
  return true;
}

const isOpen = ({ dates }: Box) => dates?.some(({ first }) => first === undefined) ?? false;

/** Returns the last day of an absence, and any other time as it is. */
const atItsEnd = (box: Box): Box =>
  isOpen(box) ? { dates: box.dates?.map(({ last }) => ({ first: last, last })) } : box;
