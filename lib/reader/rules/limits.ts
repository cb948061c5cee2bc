import type { Rule } from '../../engine/wish/reading.ts';
import { AMOUNT, amountOf } from '../text/mentions.ts';

const MEETINGS = '(?:meetings?|calls?|sessions?|chats?|appointments?|one|of them)';
const GAP =
  '(?:breaks?|gaps?|buffers?|breathers?|breathing (?:room|space)|pauses?|downtime|space|room|time|clear|free|off)';
const BETWEEN = '(?:in - between|in between|between|before|after|either side of|around)';

const MOST = new RegExp(
  `(?:(?:max(?:imum)?|at most|no more than|not more than|up to|only|limit(?: me)?(?: to)?|cap(?: me)?(?: at)?|more than)(?: of)? (${AMOUNT})(?: \\w+)? ${MEETINGS}|(${AMOUNT}) ${MEETINGS}) (?:a|per|each|in a|every|in one) day(?: max| maximum| tops| at most)?`,
);
const MINUTES = `(${AMOUNT})(?: an)? (minutes|hours?)`;
const PAUSE = new RegExp(
  `${MINUTES}(?: \\w+){0,2}? (?:${GAP} )?${BETWEEN} (?:any |each |every |all |my |the )?${MEETINGS}|${MINUTES} ${GAP}|${GAP} of (?:at least )?${MINUTES}`,
);
/** Pairs of words with which people say that meetings may be close together: a word, and a word after it. */
const CLOSER: [first: RegExp, later: RegExp][] = [
  [/\b(?:cluster|batch|stack|bunch|group|block)\b/, /\b(?:together|meetings|calls)\b/],
  [/\bback (?:- )?to (?:- )?back\b/, /\b(?:fine|ok|okay|good|no problem|happy)\b/],
];

/** Returns true if a text says that meetings may be close together. */
const isCloser = (text: string) =>
  CLOSER.some(([first, later]) => {
    const found = first.exec(text);
    return found !== null && later.test(text.slice(found.index + found[0].length));
  });

/** Reads how many meetings a day may hold and how long a pause between them must be, from a normalized text. */
export function limitsIn(text: string, quote: string): Rule[] {
  const rules: Rule[] = [];
  const most = MOST.exec(text);
  const count = amountOf(most?.[1] ?? most?.[2] ?? '');
  if (most && Number.isInteger(count) && count >= 1 && count <= 10)
    rules.push({ kind: 'most_per_day', most: count, quote });
  const pause = isCloser(text) ? undefined : PAUSE.exec(text);
  if (pause) {
    const [amount, unit] = pause[1] ? [pause[1], pause[2]] : pause[3] ? [pause[3], pause[4]] : [pause[5], pause[6]];
    const minutes = amountOf(amount ?? '') * (unit === 'minutes' ? 1 : 60);
    if (minutes > 0 && minutes <= 120) rules.push({ kind: 'buffer', verdict: 'wanted', minutes, quote });
  }
  return rules;
}
