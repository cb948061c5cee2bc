const DAY =
  '(?:mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?';
const HOURS = '\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]m)? ?(?:-|to|till?|until) ?\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]m)?';
const SLOT = `(?:${DAY}(?:'s)?|mornings?|afternoons?|evenings?|${DAY} (?:mornings?|afternoons?|evenings?))`;
/** People whom somebody meets, and meetings. A day that is kept for them is kept for this meeting, too. */
const COMPANY =
  '(?:you|u|this|that|it|me|us|them|him|her|the |my |our |a |any |all )*(?:you|meet|call|client|customer|people|person|visitor|guest|chat|catch|talk|session|one to|1|interview|appointment|everyone|anyone|when|if)';

/** `$1` stands for the first group of the pattern. */
const WRITTEN: [pattern: RegExp, to: string][] = [
  // "Early (before 10) or late (after 4)": the bracket says what the word means.
  [/\b(?:early|late)(?: on)? \(((?:before|after|from|until|till|til|by|past) [^();]{1,16})\)/g, '$1'],
  [/\bpart-time\b/g, 'part time'],
  [/\bin between (?=\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)? and \d)/g, 'between '],
  // "Years 7 to 9" and "ages 5 to 11" count no hours.
  [/\b(years|yrs|grades|forms|ages|aged|classes|chapters|floors|levels) \d{1,2} ?(?:-|to|and|&) ?\d{1,2}\b/g, '$1'],
  [/\b(until|till|til) (?:at (?:the very )?least|about|roughly|probably|maybe) (?=\d|half|quarter|noon)/g, '$1 '],
  [
    /\b(has|have|had)(?: just)? (?:moved|changed|shifted|pushed|switched) (?:it|this|that|things) on (?:me|us)\b/g,
    '$1 surprised us',
  ],
  // "My 2pm never ends on time" speaks of another meeting.
  [
    /\bmy (?:\d{1,2}(?:[:.]\d\d)? ?[ap]m|\d{1,2} o'?clock) (?=(?:is|was) (?:with|always|going|likely|running|about)\b|(?:always|usually|often|tends|runs|overruns|never|keeps|ran|overran)\b)/g,
    'my other meeting ',
  ],
  [
    /(?<!\bday),? (?:that|which|as long as it|so long as it) (?:is not|isn't|isnt|'s not) (?:(?:this|that)(?: same)?|the (?:same|current|present|original|old)) (?:slot|time|hour|one)\b/g,
    '',
  ],
  // Drops the reason why somebody excepts a day, because the day is refused anyway: "except on Tuesdays when there's
  // clinic until lunch".
  [
    new RegExp(
      `\\b((?:except|apart from|other than|not|never)(?: for)?(?: on)? ${DAY}),? when (?:there's|there is|i have|i've|i'm|i am|we have|we've|it's)(?! (?:only |always |usually )?(?:free|available|around|open|good|fine|best|better|able|happy))[^.,;!?]*`,
      'g',
    ),
    '$1',
  ],
  [
    new RegExp(
      `\\bon (${DAY}),? (?:so|and) (?:that|those) days? (?=(?:is|are) (?:out|off|gone|full|no good|a no)\\b)`,
      'g',
    ),
    ', $1 ',
  ],
  [
    new RegExp(
      `(?<=^|[.,;!?] ?|and |but |so |because )(?:(?:i|we)(?:'d|'m| would| am)? )?(?:always |usually |do |please |really )*(?:(?:try|trying|like|love|want|need|prefer|aim|aiming|hope|hoping|have) to )?(?:keep|keeping|save|saving|reserve|set aside|hold|protect|guard|block(?: out| off)?|ring ?fence|use|need) (?:my |our |the )?(${SLOT}(?:(?:, | and | or | ?& )${SLOT})*|${HOURS}) (?:free |clear |back )?for (?!${COMPANY})(?:[a-z]+ ){0,2}?[a-z]+(?=[.,;!?]|$| (?:and|so|as|because)\\b)`,
      'g',
    ),
    'no meetings on $1',
  ],
  [
    new RegExp(
      `(?<=^|[.,;!?] ?|and |but |so |please )(?:(?:(?:i|we)(?:'d| would)? )?(?:like|love|want|need|prefer|keep|have) (?:my |our |the )?(${SLOT}|${HOURS}) (?:(?:to|for) (?:myself|ourselves|me)|(?:meeting|call)s?[- ]free)|(?:leave|keep|count) (?:my |our |the )?(${SLOT}) out(?: of (?:it|this|things|the (?:equation|picture|mix)))?)(?=[.,;!?]|$| (?:and|so|as|because|please)\\b)`,
      'g',
    ),
    'no meetings on $1$2',
  ],
  [new RegExp(`(?<=\\band |& |, )(?:then )?again (?=(?:on |at |from )*(?:${DAY}\\b|\\d))`, 'g'), ''],
  // "Anything before 10 and you'll get my voicemail".
  [
    /\b(?:anything|any ?time|any call) (?=(?:before|after|past) (?:\d|noon|nine|ten|lunch)[^,.;]{0,12} and (?:you|i)(?:'ll|'re|'m| will| are| am| get)\b)/g,
    'nothing ',
  ],
  [/ or (?:not at all|nothing|bust|not at any other time)(?=[.,;!]|$)/g, ' only'],
  [
    new RegExp(
      `\\b(${SLOT}) ?\\? ?(?:nope|nah|no|never|no (?:way|thanks|thank you|chance)|not a chance|please don't|don't)(?=[.,!;]|$)`,
      'g',
    ),
    'no meetings on $1',
  ],
  // Reads "every second Friday" as every Friday, because nobody says on which Friday the count begins.
  [new RegExp(`\\b(?:every (?:other|second)|alternate|alternating) (${DAY})(?<!s)\\b(?! \\()`, 'g'), '$1s'],
  [new RegExp(`\\b(?:every (?:other|second)|alternate|alternating) (?=${DAY}\\b(?! \\())`, 'g'), ''],
];

/**
 * The steps that write what people tell of their week in the words that the rules expect: "I keep Fridays for
 * paperwork" becomes "no meetings on Fridays".
 */
export const WEEK_REWRITES: [pattern: RegExp, to: (match: string[]) => string][] = WRITTEN.map(([pattern, to]) => [
  pattern,
  (match) => to.replace(/\$(\d)/g, (_, group) => match[Number(group)] ?? ''),
]);
