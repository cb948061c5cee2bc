import { DIALECT } from './dialect.ts';

const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
/** One day, or one half of it. */
const ONE_DAY = `(?:the |next |this )?(?:${DAY}[a-z]*|tomorrow|today)(?: (?:morning|afternoon|evening|am|pm)s?)?`;
/** The beginning of a time that the meeting moves to, where the name of a place could stand. */
const NO_PLACE = `(?:${DAY}|next|later|an?|the|tomorrow|noon|another|earlier|half|quarter|after|this|lunch|first|last|any|be|it|suit)\\b`;

/** `$1` stands for the first group of the pattern. */
const WRITTEN: [pattern: RegExp, to: string][] = [
  // Words for the person who is spoken to, and ends of a sentence, that say nothing.
  [
    /(?<=[^\s,.;!?]) (?:hen|petal|chuck|duck|pet|bruv|fam|doll|babe|lads?|lass|mate|hun|my (?:dear|love)|lovey|n all|an' all|and all)(?=[,.!?;]|$| (?:that's|thats|i'm|im|i|we|cos|because|as)\b)/g,
    ' , ',
  ],
  // The English of other languages.
  [/(?<=^|[.!?;] )is possible (?=to\b)/g, 'is it possible '],
  [/\b(?:antecipate|anticipate|advance)(?= (?:it|this|the (?:meeting|call|appointment))\b)/g, 'bring forward'],
  [/(?<=\bbring forward (?:it|this|the \p{L}+) )in (?=(?:an|one|two|half|\d)\b)/gu, 'by '],
  [/\b(?:i|we) can (?=(?:only )?(?:after|before|from|at|on|in)\b)/g, 'i can do '],
  [/\bonly can (?=(?:in|on|at|after|before|from)\b)/g, 'can only do '],
  [
    /(?<!\b(?:every|all|each|any|that|same|whole|next|other|a|per) )\b(?:at |on )?(?:the )?day (\d{1,2})(?=[ ,.?!;]|$)(?! (?:of|in) (?:the )?(?:course|trip|sprint|week))/g,
    'the $1th',
  ],
  [/\b(the (?:mon|tues|wednes|thurs|fri)day) (\d{1,2})(?!\d|[:.]\d|(?:st|nd|rd|th)\b| ?[ap]m\b)/g, '$1 the $2th'],
  [
    /\b((?:mon|tues|wednes|thurs|fri)day) (\d{1,2})(?=,? (?:at|from|after|before|between|around) (?:\d|noon|half)| (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/g,
    '$1 the $2th',
  ],
  [/\b(?:the )?end of (?:the )?afternoons?\b/g, 'late afternoon'],
  [
    /\b(?:any |every |either )?week ?days? (?:of |in |during )?(?=(?:the )?(?:next|this|following) week\b)/g,
    'any day ',
  ],
  [/\ball day long\b/g, 'all day'],
  // When somebody learned of something, and what they should have done, asks for nothing.
  [
    /,? ?\b(?:and )?(?:i |we |they )?(?:have |has |'ve )?(?:only|just)(?: just| now)? (?:told|found out|heard|realised|realized|noticed|remembered|discovered|learned|learnt|twigged|spotted|got word|let me know|informed)(?: (?:me|us))?(?: (?:on|about (?:it|this)))? (?:this morning|last night|yesterday|today|just now|(?:on )?(?:mon|tues|wednes|thurs|fri)day)(?=[.,;!?]|$)/g,
    '',
  ],
  [
    /\b(?:i |we )?should(?: have|'ve|ve| of) (?:spotted|said|told you|checked|noticed|flagged|mentioned|realised|looked|asked|known|seen)(?: (?:this|it|that|so|at it))? (?:earlier|sooner|before)\b/g,
    '',
  ],
  [
    /\b(?:five|ten|fifteen|twenty|5|10|15|20) ?(?:-|to|or|\/) ?(ten|fifteen|twenty|thirty|10|15|20|30) ?(?=min)/g,
    '$1 ',
  ],
  // Turns of phrase for a wish.
  [/\bif (we|i) (?:left|leave|put|kept) (it|this) (?:till?|until|to|for) (?=\S)/g, 'if $1 moved $2 to '],
  [/\bany of the other days?\b/g, 'any other day'],
  [/\bany of the other (morning|afternoon|evening)s?\b/g, 'any other day $1s'],
  [/\(?\b0\.\d(?: ?fte)?(?: now)?(?:\)|(?=[,.;]|$))/g, ' '],
  [/\b(?:a lot |much )?sooner rather than later\b/g, 'sooner'],
  [/\b(?:rather )?earlier rather than later in the day\b/g, 'earlier'],
  [
    /\b(?:i|we)(?:'m| am|'re| are|'d be| would be)? (?:very |really )?keen to\b|(?<=^|[.!?;,] )(?:keen|hoping|happy|looking) to(?= (?:move|shift|push|bring|pull|postpone)\b)/g,
    'i would like to',
  ],
  [/\b(?:i|we) should (?:very much )?like\b/g, 'i would like'],
  [/\b(?:i|we) (?:propose|suggest) (?=\S)/g, 'i would suggest '],
  [/\bdo choose\b/g, 'please choose'],
  [/\bif (?:it's|it is|its) all the same (?:to|with) (?:you|everyone)\b/g, ''],
  [
    /\b(?:it|this|that|the (?:meeting|call))(?:'ll| will)? (?:just )?(?:has|have|needs?|will have|is going) to go (?=(?:an?|one|two|\d|to|on|back|into)\b)/g,
    'please move it by ',
  ],
  [/\bmove it by (?=(?:to|on|into)\b)/g, 'move it '],
  [/\b(next week|(?:the )?following week),? (?:the )?(?:early|first|front) part\b/g, 'early $1'],
  [/\b(next week|(?:the )?following week),? (?:the )?(?:late|latter|back|end) part\b/g, 'late $1'],
  [
    /\b(?:through|right up) (?=(?:to|until|till|til) (?:\d|noon|half|quarter|one|two|three|four|five|lunch))(?:to|until|till|til)\b/g,
    'until',
  ],
  [
    /\b(any (?:slot|time|gap|window|one)|anything|something|a slot) (?:that|which) (?:finishes|ends|is (?:done|over|finished))(?: by| before)? (?=\d|half|quarter|noon)/g,
    '$1 before ',
  ],
  [/\bno point(?: in)? (?:us |me )?(?:meeting|talking|speaking|having it|doing it)\b/g, 'can not meet'],
  [/\bnot a (?:minute|moment|second|day) (?=before|after|earlier|later|sooner)/g, 'not '],
  [
    /\b(?:going|gonna|bound) to be (?=(?:a |an )?(?:total |real |absolute )?(?:nightmare|struggle|problem|push|squeeze|pain|stretch|tight|tricky|difficult|hard|awkward|impossible|mess)\b)/g,
    '',
  ],
  // Halves of a day.
  [
    /(?<!\d ?|\bi )\b(am|pm) (?=(?:on )?(?:mon|tue|wed|thu|fri|sat|sun|tomorrow|today|(?:next|this) week)[a-z]*\b)/g,
    '$1 slot ',
  ],
  [/(?<=\b(?:some ?time|early|late|any) (?:in the )?)(am|pm)\b(?! slot)/g, '$1 slot'],
  [/(?<=[a-z] |^)1st half\b/g, 'first half'],
  [/(?<=[a-z] |^)2nd half\b/g, 'second half'],
  // A train that is named by the time at which it leaves.
  [
    new RegExp(
      `\\b(on|catching|getting|taking|get|catch|take|onto|boarding|for) the (\\d{1,2}[:.]\\d\\d)(?= (?:from|to|out of|into|via) (?!${NO_PLACE})\\p{L})`,
      'gu',
    ),
    'on the train at $2',
  ],
  [
    new RegExp(
      `(?<!\\b(?:move|push|shift|change|swap|bring|switch|bump|slide|pull|reschedule|take|make|put) )\\bthe \\d{1,2}[:.]\\d\\d (?=(?:from|to|out of|into|via) (?!${NO_PLACE})\\p{L})`,
      'gu',
    ),
    'the train ',
  ],
  // "Gets in at 17.02": a clock time, and no date in February.
  [
    /(?<=\b(?:gets? in|gets? (?:in)?to|arriv(?:es?|ing)|lands?|landing|leaves?|departs?|due(?: in)?)\b(?: (?!\d)[^\s.,;!?]+){0,4} )([01]?\d|2[0-3])\.([0-5]\d)(?!\d|\.\d)/g,
    '$1:$2',
  ],
  // Adds a second day to what somebody says of a first one: "Thursday is out, so is Friday morning".
  [
    new RegExp(
      `,? ?\\b(?:and )?(?:(?:so|as|nor|neither) (?:is|are|does|do|would|will|can|could|am) (?:i |we )?(?:do |make )?(?:on )?|(?:the )?same (?:goes |applies )?(?:for|with|to) |ditto (?:for )?|likewise (?:for )?)(${ONE_DAY})(?=[.,;!?]|$| (?:because|as|but|too|either)\\b)`,
      'g',
    ),
    ' , $1 too',
  ],
  [/\btoo (?:either|too)\b/g, 'too'],
  [/\bany of the other (mornings|afternoons|evenings) (this|next) week\b/g, 'another day $2 week in the $1'],
  [/(?<=\b\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?) and on(?=[.,;!?]|$)/g, ' onwards'],
  [/\b(?:or|and) any (day|time) after (?:the same|it|this)\b/g, 'or any $1 after that'],
  [/\bpost that\b/g, 'after that'],
  [/\b(?:either )?before i (?:go|leave|fly|set off|head off|travel) or (?=(?:from |on )?(?:the )?\d)/g, ''],
  [/\b(?:get|take|have) a rain ?check\b|(?<=^|[.,;!?] )rain ?check\b/g, 'postpone it'],
  [/\ba\/?l (?=(?:til|till|until|up to|thru|through)\b)/g, 'annual leave '],
  [/\bthrough to (?=the \d|\d|mon|tue|wed|thu|fri)/g, 'to '],
  [/\bprior to\b/g, 'before'],
];

/**
 * The steps that write dialect, slang and the English of other languages in the words that the rules expect: "summat
 * after the back of four" becomes "something after around four".
 */
export const EVERYDAY_REWRITES: [pattern: RegExp, to: (match: string[]) => string][] = [...DIALECT, ...WRITTEN].map(
  ([pattern, to]) => [pattern, (match) => to.replace(/\$(\d)/g, (_, group) => match[Number(group)] ?? '')],
);
