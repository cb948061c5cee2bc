import type { ReadWeights } from '../../../schema/api/learned-weights.ts';
import { type Sentiment, sentimentsOf, sentimentsOfDays } from './mentions.ts';
import { complainsOfEarly, complainsOfLate, complainsOfNoPause, EVENING, MORNING } from './patterns.ts';
import { inOrder, normalise } from './segments.ts';

const WEIGHT: Record<Sentiment, number | undefined> = { liked: 1.5, disliked: 0.4, named: undefined };
const WANTS_PAUSES = 1.5;
const WELCOMES_BACK_TO_BACK = 0.7;

const PAUSE = '(?:gaps?|breaks?|buffers?|breathers?|breathing (?:room|space)|pauses?)';
const PAUSES = [
  inOrder(`\\b(?:${PAUSE}|time|room) (?:\\w+ )?(?:between|before|after|in between)\\b`),
  inOrder('\\b(?:keep|leave|need|want|like|prefer|schedule)\\b', `\\b${PAUSE}\\b`),
];
const PAUSES_UNWANTED = /\b(?:don't|doesn't|no) (?:need|want|mind) (?:\w+ ){0,2}?(?:gaps?|breaks?|buffers?|pauses?)\b/;
const EARLY = `${MORNING}|before (?:noon|lunch|midday)|early in the day`;
const BACK_TO_BACK = 'back[- ]?to[- ]?back(?: meetings?| calls?)?|b2b';
const MINDS_NOT = inOrder(
  "\\b(?:don't mind|fine with|okay? with|happy with|prefer|like|love)\\b",
  '\\bback[- ]?to[- ]?backs?\\b',
);

/** What a scheduling context says by rules alone (decisions, Learning): it serves when the model does not. */
export function readContext(context: string): ReadWeights {
  const text = normalise(context);
  const days = withWeekend(text);
  const timeOfDay = defined({
    morning: WEIGHT[complainsOfEarly(text) ? 'disliked' : strongest(sentimentsOf(text, EARLY))],
    afternoon: WEIGHT[strongest(sentimentsOf(text, 'afternoons?|after lunch'))],
    evening: WEIGHT[complainsOfLate(text) ? 'disliked' : strongest(sentimentsOf(text, EVENING))],
  });
  const dayOfWeek = defined(
    Object.fromEntries([...sentimentsOfDays(days)].map(([day, sentiment]) => [day, WEIGHT[sentiment]])),
  );
  const buffer = bufferImportance(text);
  return {
    ...(Object.keys(timeOfDay).length === 0 ? {} : { time_of_day_preference: timeOfDay }),
    ...(Object.keys(dayOfWeek).length === 0 ? {} : { day_of_week_preference: dayOfWeek }),
    ...(buffer === undefined ? {} : { buffer_importance: buffer }),
  };
}

function bufferImportance(text: string): number | undefined {
  if (PAUSES_UNWANTED.test(text)) return WELCOMES_BACK_TO_BACK;
  const sentiment = strongest(sentimentsOf(text, BACK_TO_BACK));
  const lines = text.split('\n');
  if (sentiment === 'liked' || lines.some(MINDS_NOT)) return WELCOMES_BACK_TO_BACK;
  return complainsOfNoPause(text) || lines.some((line) => PAUSES.some((isSaid) => isSaid(line)))
    ? WANTS_PAUSES
    : undefined;
}

const withWeekend = (text: string) => text.replace(/\bweekends?\b/g, 'saturday and sunday');

const strongest = (sentiments: Sentiment[]): Sentiment =>
  sentiments.find((sentiment) => sentiment === 'disliked') ??
  sentiments.find((sentiment) => sentiment === 'liked') ??
  'named';

const defined = (weights: Record<string, number | undefined>): Record<string, number> =>
  Object.fromEntries(Object.entries(weights).filter((entry): entry is [string, number] => entry[1] !== undefined));
