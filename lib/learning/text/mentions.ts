import { WEEKDAYS } from '../../scheduling/dates.ts';
import type { Weekday } from '../../scheduling/types.ts';
import { mentionsOf } from './segments.ts';
import { sentimentOf } from './sentiment.ts';

export type Sentiment = 'liked' | 'disliked' | 'named';

const SPELLINGS: Record<Weekday, string> = {
  monday: "mondays?|mon(?:'?s)?",
  tuesday: "tuesdays?|tues?(?:'s)?",
  wednesday: 'wednesdays?|(?<!\\b(?:we|be|they|were|got|newly) )weds?',
  thursday: 'thursdays?|thu(?:rs?)?',
  friday: "fridays?|fri(?:'?s)?",
  // "sat" and "sun" are words of their own, so they need a company that makes them days.
  saturday: 'saturdays?|(?<=\\b(?:on|this|next|every|no|not|avoid|and|or) )sat\\b(?! (?:down|in|on|through))',
  sunday: 'sundays?|(?<=\\b(?:on|this|next|every|no|not|avoid|and|or) )sun\\b',
};
const DAY = `(?:\\b(?:${Object.values(SPELLINGS).join('|')})(?![\\w'])(?:'s\\b)?|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day's)`;
const LIST = new RegExp(
  `${DAY}(?:\\s*(?:,\\s*(?:and|or)|,|/|&|\\+|-|\\band\\b|\\bor\\b|\\bnor\\b)\\s*(?:on\\s+)?${DAY})*`,
  'g',
);

const NAMES = WEEKDAYS.map((day) => [day, new RegExp(`\\b${day.slice(0, 3)}`)] as const);

/** Each weekday the normalised text names, with what is said about it; said twice, a dislike counts most. */
export function sentimentsOfDays(text: string): Map<Weekday, Sentiment> {
  const sentiments = new Map<Weekday, Sentiment>();
  for (const mention of mentionsOf(text, LIST)) {
    const sentiment = sentimentOf(mention) ?? 'named';
    for (const [day, name] of NAMES)
      if (name.test(mention.text) && sentiments.get(day) !== 'disliked') sentiments.set(day, sentiment);
  }
  return sentiments;
}

/** What is said of mornings, afternoons or evenings in general; not of one day's, nor of today's. */
export function sentimentsOf(text: string, mention: string): Sentiment[] {
  const general = new RegExp(`(?<!\\b(?:this|tomorrow|that|yesterday|${DAY}) )\\b(?:${mention})\\b`, 'g');
  return mentionsOf(text, general).map((found) => sentimentOf(found) ?? 'named');
}
