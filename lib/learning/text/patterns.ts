import { sentimentsOf, sentimentsOfDays } from './mentions.ts';
import { inOrder, normalise, segmentsOf } from './segments.ts';

/** A pattern found in a text: the weight it moves, by its path, and by how much. */
export interface Match {
  pattern: string;
  weight: string;
  factor: number;
}

export const MORNING = '(?:early )?mornings?|early (?:meetings?|calls?|starts?|slots?|times?|hours?)';
export const EVENING = '(?:late )?(?:evenings?|nights?)|late (?:meetings?|calls?|slots?|times?|hours?)';

const LOWER = 0.8;
const RAISE = 1.25;

const SOFT =
  "(?:at all|really|that|think|thinks|it's|it|is|that's|find|feel|a|bit|the|this|be|way|going|to|seem|look|such|thing|as|too|so|very)";
const NEGATED = `(?<!\\b(?:not|never|no|hardly|\\w+n't)(?: ${SOFT})*\\s)`;
const INTENSE =
  '(?:too+|so|very|really|pretty|quite|rather|super|awfully|a bit|a little|bit|way too|that|this|kind of|terribly)';
const WELCOME =
  "(?!\\s+(?:is|are|works?|would be|will be|'s)\\s+(?:fine|good|great|ok|okay|better|best|perfect|possible))";
const LATENESS =
  "(?<!\\b(?:running|i'm|i am|i was|i'll be|i will be|we're|we were|arrive|arriving|joining|join|noticed|saw|found|realised|realized|heard|replied|responded|came|got|sent|told)(?: \\w+){0,3}\\s)";
/** The body where nothing forbids it; looking back only from where the body stands keeps the work in proportion. */
const unless = (forbidden: string, body: string) => `\\b(?=${body})${forbidden}`;
const NOTHING = "(?:nothing|not|never|no (?:meetings?|calls?)|\\w+n't(?: \\w+){0,3}|avoid(?: \\w+){0,2})";

const TOO_EARLY = [
  unless(NEGATED, `${INTENSE}[ -]early${WELCOME}(?! to (?:say|tell|know|judge|decide|call))`),
  unless(NEGATED, 'early for (?:me|us|my|him|her|them)'),
  '\\bnothing (?:too )?early',
  `\\blater (?:in|on in) the day${WELCOME}|\\blater (?:that|in my) day`,
  `\\b(?:a|any|some) (?:bit |little |much )?later (?:time|slot|start|hour)\\b${WELCOME}|\\bstart(?:ing)? (?:a bit |a little )?later\\b`,
  `\\b${NOTHING} (?:start )?(?:before|until|till) (?:noon|midday|\\d{1,2}(?::\\d\\d)?(?:am)?\\b(?! ?pm))`,
  '\\bbefore (?:[6-9]|1[0-2])(?::\\d\\d)? ?(?:am)? (?:is|are|does|do|would be) ?(?:n.t|not|hard|tough|bad|difficult|impossible|too)',
  '\\b[4-9](?::\\d\\d)? ?am is (?:hard|tough|bad|difficult|brutal|insane|rough|painful|awful|terrible|impossible)',
  `\\b[4-7](?::\\d\\d)? ?am (?:for (?:me|us)|my time|here|in my)\\b${WELCOME}`,
  '\\bcrack of dawn\\b',
  '\\bnot (?:really |exactly )?(?:a|much of a) morning person',
];
const TOO_LATE = [
  unless(
    LATENESS + NEGATED,
    `${INTENSE}[ -]late${WELCOME}(?! to (?:cancel|change|move|prepare|book|find|reschedule|notify|tell|let|ask))(?! (?:notice|reply|response|cancell?ation))`,
  ),
  unless(NEGATED, 'late for (?:me|us|my|him|her|them)'),
  `\\b(?:(?:[89]|1[01])(?::\\d\\d)? ?pm|midnight) (?:for (?:me|us)|my time|here|in my)\\b${WELCOME}`,
  "\\bit(?:'s| is) (?:already )?late (?:here|there)\\b",
  '\\bnothing (?:too )?late\\b',
  unless(LATENESS + NEGATED, `late (?:in the (?:day|evening)|at night)${WELCOME}`),
  `\\bearlier (?:in|on in) the day${WELCOME}|\\bearlier (?:that|in my) day`,
  `\\b(?:a|an|any|some) (?:bit |little |much )?earlier (?:time|slot|start|hour)\\b${WELCOME}`,
  `\\b${NOTHING} (?:after|past) (?:[3-9]|1[01]|1[5-9]|2[0-3])(?::\\d\\d)?(?:pm)?\\b(?! ?am)`,
  '\\bafter (?:[4-9]|1[6-9])(?::\\d\\d)? ?(?:pm)? (?:is|are|does|do|would be) ?(?:n.t|not|hard|tough|bad|difficult|impossible|too)',
  '\\bnot (?:really |exactly )?(?:a|much of a) (?:evening|night) person',
];
const BACK_TO_BACKS = '\\bback[- ]?to[- ]?backs?\\b';
const PAUSE = '(?:breaks?|gaps?|buffers?|breathers?|breathing (?:room|space)|pause|downtime|time|room|space)';
const BACK_TO_BACK = [
  unless(
    "(?<!\\b(?:not|never|no longer|\\w+n't)(?: (?:be|even|really|going to be|mind|have|being|any|to|do|doing|with|be in))*\\s)",
    `back[- ]?(?:to|2)[- ]?backs?\\b${WELCOME}`,
  ),
  ['\\b(?:rather|prefer|please|so|want|like|could we|can we)\\b', '\\bnot?\\b', BACK_TO_BACKS],
  ["\\b(?:don't|doesn't|wouldn't) (?:want|like)\\b", BACK_TO_BACKS],
  `(?<!\\b(?:not|\\w+n't) )\\bb2b(?! (?:sales?|clients?|customers?|marketing|saas|compan|products?|business|software|deals?|market))\\b${WELCOME}`,
  `\\b(?:no|without|zero|any|little|need|want|needs|more|some|enough|longer|leave|a)\\s(?:\\w+ ){0,2}?${PAUSE} (?:\\w+ )?(?:before|between|after|in between|in-between)\\b`,
  '\\b(?:no|without|without a|without any|need a|need some|need more|zero) (?:proper |real |short |little )?(?:breaks?|gaps?|buffers?|buffer time|breathers?|breathing (?:room|space))\\b',
  '\\b(?:straight|right|directly|immediately) (?:after|before) (?:another|my|a|an|the) (?:\\w+ )?(?:call|meeting|one|session|standup|interview)',
  '\\b(?:meetings?|calls?|session|interview|one) (?:right|just|immediately|straight|directly) (?:before|after)\\b',
  '\\b\\d+ ?min(?:ute)?s? (?:in )?between\\b',
  '\\b(?:one (?:call|meeting) after (?:another|the other)|runs? (?:straight )?into (?:my|another|the next))\\b',
];

type Phrase = (text: string) => boolean;

const isSaid = (segments: string[], phrases: Phrase[]) =>
  segments.some((segment) => phrases.some((phrase) => phrase(segment)));
const compile = (sources: (string | string[])[]) => sources.map((source) => inOrder(...[source].flat()));
const [tooEarly, tooLate, backToBack] = [compile(TOO_EARLY), compile(TOO_LATE), compile(BACK_TO_BACK)];

/** Whether the normalised text complains of meetings without a pause between them. */
export const complainsOfNoPause = (text: string): boolean => isSaid(segmentsOf(text), backToBack);
/** Whether the normalised text complains of early hours, and of late ones. */
export const complainsOfEarly = (text: string): boolean =>
  isSaid(segmentsOf(text), tooEarly) || sentimentsOf(text, MORNING).includes('disliked');
export const complainsOfLate = (text: string): boolean =>
  isSaid(segmentsOf(text), tooLate) || sentimentsOf(text, EVENING).includes('disliked');

/**
 * The patterns of a rescheduling reason (interface, Learning rules): too early, too late, a weekday's name unless it is
 * plainly the day asked for, back to back. Each weight at most once.
 */
export function matchPatterns(reason: string): Match[] {
  const text = normalise(reason);
  const matches: Match[] = [];
  if (complainsOfEarly(text))
    matches.push({ pattern: 'too early', weight: 'time_of_day_preference.morning', factor: LOWER });
  if (complainsOfLate(text))
    matches.push({ pattern: 'too late', weight: 'time_of_day_preference.evening', factor: LOWER });
  for (const [day, sentiment] of sentimentsOfDays(text))
    if (sentiment !== 'liked') matches.push({ pattern: day, weight: `day_of_week_preference.${day}`, factor: LOWER });
  if (complainsOfNoPause(text)) matches.push({ pattern: 'back-to-back', weight: 'buffer_importance', factor: RAISE });
  return matches;
}
