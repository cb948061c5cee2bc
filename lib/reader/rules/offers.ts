import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box } from '../../engine/wish/reading.ts';
import type { Clause } from './clauses.ts';
import type { Part } from './parts.ts';
import type { Progress } from './progress.ts';
import { hasDays } from './spans.ts';

/** Phrases that allow a time without preferring it, such as "no problem" and "can do". */
const ALLOWED = /\b(?:do not mind|does not matter|no problem|nothing against|can do|could do)\b/;

/** Returns true for a time that is only allowed. "I can do meetings between 10 and 12" offers hours. */
export const isAllowed = ({ words }: Part, boxes: readonly Box[]): boolean =>
  ALLOWED.test(words) &&
  !(OFFERED.test(words) && boxes.every(({ clock }) => clock && clock.to - clock.from > 90 && clock.to < DAY_MINUTES));

const RATHER =
  /\b(?:prefer\w*|like|love|best|better|rather|ideal\w*|sweet|favou?r\w*|happ\w+|mostly|usually|great|perfect)\b/;

/** Words with which somebody says when they can be reached at all. */
const AVAILABLE = /\b(?:available|availability|avail|reachable|contactable)\b/;

/**
 * Returns true for hours outside of which nothing will do, in a scheduling context: "available 11 to 5", or several
 * spans such as "meetings 11 to 1 or 3 to 5".
 */
export const isHours = (
  { verdict, words, after, isBare, items }: Part,
  boxes: readonly Box[],
  { joint }: Clause,
  progress: Progress,
): boolean =>
  progress.purpose === 'context' &&
  verdict === 'wanted' &&
  !/g/.test(after) &&
  !RATHER.test(words) &&
  (isSpelledOut(boxes, isBare, joint, progress) ||
    (progress.last !== 'wanted' && items.some(({ bound, text }) => bound !== undefined && FIRM.test(text))) ||
    (/\beither\b/.test(words) && isAroundTheDay(boxes)) ||
    ((boxes.length > 1 || AVAILABLE.test(words) || /^any ?time(?: is fine)?$/.test(words)) &&
      boxes.every(isWithinTheDay) &&
      (AVAILABLE.test(words) || boxes.every((box) => !hasDays(box)))));

/** Limits that leave no choice: "no later than 3", "10 onwards". */
const FIRM = /\b(?:(?:no|not) (?:any )?(?:later|earlier|sooner)|latest|earliest|onwards?)\b/;

const WORK_ENDS = 17 * 60;
const OCCUPIED = /\b(?:day job|at (?:my own |my )?work|full ?-?time|all day|other job|elsewhere)\b/i;
/** Words that allow evenings or weekends beside other times: "weekends are fine too". */
const ALLOWING =
  /\b(?:fine|okay|possible|problem|happy|mind|too|also|even|as well|either|can|could|flexible|needed|need be|if|good|great|works?|best|better|open)\b/;

/**
 * Returns true if a scheduling context asks for evenings or weekends, when others do not work: "Saturdays please, I
 * have a day job". Who asks for those can do no other times.
 */
export const isOutsideWork = (
  { verdict, words, next }: Part,
  boxes: readonly Box[],
  { items, joint }: Clause,
  { purpose, text, only, reading }: Progress,
): boolean => {
  const said = items.map(({ text: word }) => word).join(' ');
  return (
    purpose === 'context' &&
    verdict === 'wanted' &&
    (only?.isOutside || !/^(?:\(|or|otherwise)$/.test(joint)) &&
    !reading.standing.some((rule) => rule.kind === 'times' && rule.verdict === 'prefer') &&
    boxes.every(
      ({ clock, weekdays, dates }) =>
        (clock?.from ?? 0) >= WORK_ENDS ||
        (weekdays ?? dates?.map(({ first = 0 }) => weekdayIndex(first)))?.every((day) => day > 4),
    ) &&
    (OCCUPIED.test(text) || (!RATHER.test(`${words} ${next}`) && !ALLOWING.test(said)))
  );
};

const isWithinTheDay = ({ clock }: Box): boolean => clock !== undefined && clock.from > 0 && clock.to < DAY_MINUTES;

/** Returns true for "before 10 or after 4", the two ends of every day. */
const isAroundTheDay = (boxes: readonly Box[]): boolean =>
  boxes.length === 2 &&
  boxes.every((box) => box.clock && !hasDays(box)) &&
  boxes.some(({ clock }) => clock?.from === 0) &&
  boxes.some(({ clock }) => clock?.to === DAY_MINUTES);

/** Returns true for the hours in "I work part time, Mon to Wed, 9.30 to 2.30" and in "evenings only, 6 to 9". */
const isSpelledOut = (
  boxes: readonly Box[],
  isBare: boolean,
  joint: string,
  { isAfterOnly, last, antecedent }: Progress,
): boolean => {
  if (!isBare || !/^[,:(!.;—-]$/.test(joint)) return false;
  if (isAfterOnly) return boxes.every((box) => hasDays(box) || isWithinTheDay(box));
  if (!boxes.every(isWithinTheDay)) return false;
  const isNarrower = ({ clock }: Box) =>
    clock && antecedent.some((only) => only.clock && only.clock.from <= clock.from && clock.to <= only.clock.to);
  return last === 'only' && boxes.every((box) => !hasDays(box) && isNarrower(box));
};

const OFFERED = /\b(?:can|could) do\b/;
