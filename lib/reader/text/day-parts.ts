import type { ClockSpan } from '../../engine/wish/reading.ts';
import { NOON, point, type Reader, span, words } from './mentions.ts';

const PARTS: Record<string, [from: number, to: number]> = {
  morning: [0, NOON],
  afternoon: [NOON, 17 * 60],
  evening: [17 * 60, 24 * 60],
  night: [17 * 60, 24 * 60],
  lunch: [NOON, 13 * 60],
};

/** End of the working day, in minutes since midnight. */
export const WORK_END = 18 * 60;

/**
 * Returns the hours that a refused part of the day rules out. A refused afternoon lasts until 18:00, because somebody who
 * cannot meet in the afternoon will not like a meeting at 17:00 either.
 */
export const refusedHours = (clock: ClockSpan): ClockSpan =>
  clock.from === NOON && clock.to === PARTS.afternoon?.[1] ? { from: NOON, to: WORK_END } : clock;

/** The patterns, with their readers, that find hours of the day by a name: "noon", "after work", "late afternoon". */
export const DAY_PART_READERS: Reader[] = [
  {
    pattern: words('(?:the )?last thing(?: in the (?:day|afternoon|evening))?|(?:the )?last (?:slot|thing) of the day'),
    read: () => span(16 * 60 + 30, 18 * 60),
  },
  { pattern: words('(?:12 )?noon|midday'), read: () => point(NOON) },
  {
    pattern: words('(?:in |around |towards )?(?:the )?middle of the (?:working )?day|around the middle of the day'),
    read: () => span(11 * 60, 14 * 60),
  },
  {
    pattern: words(
      '(?:the )?(?:very )?first (?:slot|one|thing|meeting|call|hour) (?:of|in) (?:the|my|our) (?:day|morning)|the very first (?:slot|one)',
    ),
    read: () => span(0, 10 * 60),
  },
  {
    pattern: words(
      '(?:the )?very last (?:slot|one|thing)(?: (?:of|in) (?:the|my|our) (?:day|afternoon))?|(?:the )?last (?:one|call|meeting|hour) of (?:the|my|our) (?:day|afternoon)',
    ),
    read: () => span(16 * 60, 18 * 60),
  },
  {
    pattern: words(
      '(?:a |the )?(?:late|later|latish) (?:one|slot|time)(?= (?:on|that|tomorrow|today|mon|tue|wed|thu|fri))',
    ),
    read: () => span(15 * 60, 18 * 60),
  },
  {
    pattern: words(
      '(?:a |an |the )?(?:early|earlyish) (?:one|slot|time)(?= (?:on|that|tomorrow|today|mon|tue|wed|thu|fri))',
    ),
    read: () => span(0, 11 * 60),
  },
  {
    pattern: words(
      '(?:in |during )?(?:the )?(first|second|latter|other|back) half(?: (?:of|on))?(?: the)?(?: day|(?= (?:the )?(?:mon|tue|wed|thu|fri|tomorrow|today|\\d)))|(?<=(?:day|tomorrow|mon|tues?|weds?|thurs?|fri) (?:in )?(?:the )?)(first|second|latter) half(?= (?:[.,;!?)]|please|if|instead|works?|or|is|would|suits?|okay|fine|good)|$)',
    ),
    read: ([, before, after]) => ((before ?? after) === 'first' ? span(0, 13 * 60) : span(13 * 60, 18 * 60)),
  },
  { pattern: words('as late as (?:possible|you can|we can)'), read: () => span(16 * 60, 24 * 60) },
  { pattern: words('tea ?time|around tea|tea - time'), read: () => span(16 * 60, 18 * 60) },
  {
    pattern: words(
      '(?:an |the )?(?<!i )(am|pm)(?= (?:slots?|times?|meetings?|calls?|one|starts?|only|please|instead|works?|is|would|if)|$)',
    ),
    read: ([, half]) => (half === 'am' ? span(0, NOON) : span(NOON, 18 * 60)),
  },
  { pattern: words('(?:close of (?:business|play)|end of play|cob|cop)'), read: () => point(17 * 60) },
  { pattern: words('after (?:dinner|supper)'), read: () => span(19 * 60, 24 * 60) },
  {
    pattern: words('(?:after|past) (?:school|nursery) (?:run|drop ?- ?off|drop ?off)'),
    read: () => span(9 * 60 + 30, 24 * 60),
  },
  { pattern: words('(?:before|over|at|around) breakfast'), read: () => span(0, 9 * 60) },
  { pattern: words('after work(?! hours)'), read: () => span(17 * 60, 24 * 60) },
  { pattern: words('first thing(?: in the (?:morning|day))?'), read: () => span(0, 10 * 60) },
  {
    pattern: words(
      '(?:(?:at|towards?|nearer|closer to) )?(?:the )?(?:very )?(?:end|back end|tail end) of (?:the |my |our )?(?:business |working )?day|eod|(?:late|later|latter part) (?:in|of) the (?:working )?day(?= (?:[?.!,;]|please|works?|is|suits?|would|if|for)|$)',
    ),
    read: () => span(16 * 60, 24 * 60),
  },
  {
    pattern: words(
      '(?:nice and |quite |very |really |fairly )?early(?= (?:on )?(?:the )?(?:mon|tue|wed|thu|fri|tomorrow|today|\\d{1,2} (?:st|nd|rd|th))(?! - ))|(?<=(?:day|tomorrow|tues?|weds?|thurs?|fri) )(?:nice and )?early(?= (?:[.,;!?)—]|please|if|instead)|$)',
    ),
    read: () => span(0, 11 * 60),
  },
  { pattern: words('early (?:in the )?afternoons?'), read: () => span(NOON, 15 * 60) },
  { pattern: words('(?:late|later) (?:in the )?afternoons?'), read: () => span(15 * 60, 18 * 60) },
  { pattern: words('(?:late|later in the|mid(?: -)?) mornings?'), read: () => span(10 * 60, NOON) },
  { pattern: words('early (?:evenings?)'), read: () => span(17 * 60, 19 * 60) },
  { pattern: words('late (?:evenings?|meetings?|calls?|slots?|times?|hours?)'), read: () => span(18 * 60, 24 * 60) },
  {
    pattern: words('(?:early|earlier) (?:in the )?mornings?|early (?:meetings?|calls?|starts?|slots?|times?|hours?)'),
    read: () => span(0, 9 * 60),
  },
  {
    pattern: words(
      '(?:in the |the |an? |my |our |over (?=lunch))?(morning|afternoon|evening|(?<!(?:my|our|make|move|change|reschedule|have) )lunch(?! (?:is (?:at|from|between|\\d)|\\d|at|from|between|with|date|meeting|appointment))|(?<=(?:day|tomorrow|mon|tue|wed|thu|fri) )lunch(?= \\d)|night)(?: time|s|time| break| hour| person| people)*',
    ),
    read: ([, part = '']) => {
      const [from, to] = PARTS[part] ?? [0, 0];
      return span(from, to);
    },
  },
];
