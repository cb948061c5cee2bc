import { type Found, type Reader, words } from './mentions.ts';

const BREAKS =
  '(?:breaks?(?! (?:up|down|in|out|off)\\b)|gaps?|buffers?|buffer time|breathers?|breathing (?:room|space)|pauses?|downtime)';
const BETWEEN = '(?:in - between|in between|between|before|after)';
const MEETING = '(?:calls?|meetings?|one|session|standup|interview)';
const AT_ONCE = '(?:straight|right|directly|immediately|just)';
const BUSINESS =
  '(?:sales?|clients?|customers?|marketing|saas|compan(?:y|ies)|products?|business|software|deals?|market)';

const backToBack = (): Found => ({ mention: { kind: 'back_to_back' } });
const pause = (): Found => ({ mention: { kind: 'pause' } });

/** The patterns, with their readers, that find pauses between meetings, and meetings without a pause between them. */
export const PAUSE_READERS: Reader[] = [
  { pattern: words(`back (?:- )?(?:to|2) (?:- )?backs?(?: ${MEETING})?|b 2 b(?! ${BUSINESS})`), read: backToBack },
  { pattern: words(`${AT_ONCE} (?:after|before) (?:another|my|a|an|the) (?:\\w+ )?${MEETING}`), read: backToBack },
  { pattern: words(`${MEETING} ${AT_ONCE} (?:before|after)`), read: backToBack },
  { pattern: words('one (?:call|meeting) after (?:another|the other)'), read: backToBack },
  { pattern: words('(?:two|three|several|many|too many) (?:calls|meetings|sessions) in a row'), read: backToBack },
  { pattern: words('runs? (?:straight )?into (?:my|another|the next)'), read: backToBack },
  {
    pattern: words(`(?:(?:\\d+ )?minutes|time|room|space) (?:\\w+ )?(?:in - between|in between|between)`),
    read: pause,
  },
  {
    pattern: words(`(?:(?:a|some|any|proper|real|short|little|\\d+ minutes) ){0,2}${BREAKS}(?: (?:\\w+ )?${BETWEEN})?`),
    read: pause,
  },
];
