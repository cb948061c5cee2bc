const CAN =
  "(?:that )?(?:i|we)(?:'d| would)? (?:can|could|will|be able to) (?:do|make|manage|offer|start|join|get there|be there|be free)(?: it| that)?";
const TIME =
  '(?=\\d|half\\b|quarter\\b|noon|mon|tue|wed|thu|fri|tomorrow|the \\d|one\\b|two\\b|three\\b|four\\b|five\\b|nine\\b|ten\\b|eleven\\b|twelve\\b)';

/** The steps that write limits in the words that the rules expect: "the earliest I can do is 4" becomes "from 4". */
export const BOUND_REWRITES: [pattern: RegExp, to: string | ((match: string[]) => string)][] = [
  [
    new RegExp(
      `\\b(?:(?:my|the|our) )?(earliest|latest|soonest)(?: (?:time|slot))? (?:${CAN} )?(?:is|would be|will be)(?: about| around| probably)? (?:at )?${TIME}`,
      'g',
    ),
    ([, end = '']) => (end === 'latest' ? 'no later than ' : 'from '),
  ],
  [
    /(?<![\d:.-])\b(\d{1,2}(?:[:.]\d\d)?) (?=at the (?:very )?(?:earliest|latest)\b)/g,
    ([, hour = '']) => `at ${hour} `,
  ],
  [/\bany (later|earlier) than\b/g, ([, way = '']) => `${way} than`],
  [/\b(?:can't|cant|cannot|can not) (?:stay|go(?: on)?|run|be on|carry on) (?:past|beyond|after)\b/g, 'not after'],
];
