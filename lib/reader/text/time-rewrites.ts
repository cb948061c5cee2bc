const HOUR = '\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]m)?';
const NAMED = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const CLOCK = `(?:half |quarter (?:past|to) )?(?:${HOUR}|${NAMED.join('|')})`;
const DAY = '(?:(?:this |next )?(?:mon|tue|wed|thu|fri)[a-z]*|tomorrow|today|the \\d{1,2}(?:st|nd|rd|th))';
const ZONE = '(?:us )?(?:eastern|pacific|central|mountain|e[sd]?t|p[sd]?t|c[sd]t|gmt|utc|bst|cest?|ist)';

/**
 * The steps that write other ways to name days, hours and offers in the words that the readers of times expect. Each of
 * them holds for all days and hours.
 */
export const TIME_REWRITES: [pattern: RegExp, to: (match: string[]) => string][] = (
  [
    // Figures for words: "2moro", "move it 2 thurs".
    ['2(?:mor+ow|mor+o|mrw|mro|moz)', 'tomorrow'],
    ['2day', 'today'],
    ['2nite', 'tonight'],
    [
      `(?<=\\b(?:move|push|shift|change|switch|bump|it|this|that|meeting|call|back|forward) )2 (?=${DAY}|next|later)`,
      'to ',
    ],
    ['(tomorrow|today) week', 'a week $1'],
    ["in (?:a |one )?fortnight(?:'?s)?(?: time)?(?=\\W|$)", 'two weeks hence'],
    ["in (?:a )?couple of (week|month)s'?(?: time)?", 'two $1s hence'],
    [`in (an?|${NAMED.join('|')}|\\d{1,2}) (weeks?|months?)(?:'s|')?(?: time)?(?! of\\b)`, '$1 $2 hence'],
    ['next week,? (?:on )?(?:the )?same day', 'same day next week'],
    ['(?:any |all |most |every )?other days? (?=(?:is|are|would be|works?|fine|ok|good|no \\w+)\\b)', 'another day '],
    [
      '(?<=day |days |mornings? |afternoons? )no (?:bother|problem|trouble|hassle|worries|issue)s?(?: at all)?',
      'is fine',
    ],
    ['(?<=day |days )(?:in the )?day ?time', ''],
    // Hours.
    [`(?<!\\b(?:to|and|until|till) |-)(${CLOCK}) or so(?= on\\b| the\\b| ${DAY}|[.,;!?]|$)`, 'around $1'],
    [`(${CLOCK}) or (?:later|after|onwards?),? on (?=${DAY})`, 'from $1 on '],
    ['(?:(?:at )?(?:the )?)?latest by (?=\\d|noon|half|quarter)', 'by '],
    ['(\\d{1,2}(?:[:.]\\d\\d)?) ?(?:-|to|till|until) ?(?:noon|midday)', '$1-12pm'],
    [
      `(?<!\\b(?:between|from) )(${HOUR}(?: ?(?:-|to) ?${HOUR})?)(?! ?${ZONE})(,? (?:and|or) |, )(${HOUR}(?: ?(?:-|to) ?${HOUR})?) (${ZONE})(?=\\W|$)`,
      '$1 $4$2$3 $4',
    ],
    ['(lands?|arrives?|gets? in|starts?|opens?|finish(?:es)?|ends?|leaves?) only (?=at|by|on|around)', '$1 '],
    [`(?<=^|[.;] )(?:i'?m |i am )?(?:on )?(${ZONE}) time(?: here)?(?: and|,|;|:) `, 'i am on $1 time, '],
    ['morns?', 'morning'],
    ['night owls?', 'owl'],
    ['early birds?', 'lark'],
    // Requests.
    ['(?:re-?convene|reconnect|re-?group|get back together)', 'meet'],
    ['(?<=week |weeks )(?:altogether|entirely|outright)', ''],
    [
      '(?:could|can|may|might) i (?:please |just )?(?:be (?:so |a bit |really )?(?:cheeky|bold|rude|annoying|a pain)(?: and| to)? )?(?:ask|beg|request)(?: for)?(?= (?:the|an?|\\d|mon|tue|wed|thu|fri|next|any))',
      'could we have',
    ],
  ] satisfies [string, string][]
).map(([source, to]) => [
  new RegExp(`\\b${source}${/[ )]$/.test(source) ? '' : '(?!\\w)'}`, 'g'),
  (match) => to.replace(/\$(\d)/g, (_, group) => match[Number(group)] ?? ''),
]);
