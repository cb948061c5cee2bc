import type { Tag } from './tags.ts';

const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const END = '(?= [.,;!?)—]|$)';

/** Everyday turns of phrase, as patterns with the class of each. They are tried after the idioms. */
export const EVERYDAY: [tag: Tag, source: string][] = [
  // "Do it then" points to a time that was named before.
  ['f', `then(?= (?:[.,;!?)—]|please|instead)|$)`],
  [
    'j',
    `(?:(?:any ?time|any day|whenever|straight|right|just) )?(?:before|after|once|until) (?:he|she|it|they|that one) (?:arrives?|comes?|gets? (?:here|back|in)|turns? up|leaves?|goes|starts?|begins?|ends?|finish(?:es)?|lands?|(?:is|are|has) (?:here|gone|done|over|finished|left|arrived|started))`,
  ],
  ['j', `(?:any ?time|any day|whenever) (?:before|after)(?: that| then| this)?${END}`],
  ['k', '(?:is|are) (?:my|our) (?:days?|times?|slots?|hours) for (?:meetings?|calls?)'],
  [
    'a',
    '(?:(?:i|we) )?(?:am |are |would be |will be )?(?:happy|glad|delighted) to (?:see|meet|talk to|speak to|chat to|catch|have) (?:you|u)',
  ],
  ['a', '(?:please )?(?:choose|pick)(?= (?:any|one|some|either|whichever|whatever) )'],
  ['u', '(?:(?:i|we) )?(?:am |are |will be )?covering(?: for (?!me|you|us|this)[a-z]+)?(?= )'],
  [
    'h',
    '(?:(?:my|our) )?(?:office|drop - in|drop in|consultation|visiting|contact|advice|surgery|help desk) (?:hours|hour|clinics?) (?:for|with) (?!(?:you|meetings?|calls?|clients?|people|everyone|this)(?: |$))(?:my |our |the )?[a-z]+(?= )',
  ],
  // "Only put meetings between 2 and 4".
  [
    'k',
    'only (?:ever )?(?:put|book|schedule|place|slot|give|send|pop|arrange|plan|set)(?: (?:me|us))?(?: (?:in|up|for))? (?:any |my )?(?:meetings?|calls?|appointments?)(?: in)?(?= (?:(?:on|at|in|between|from|before|after) )*(?:the |my )?(?:\\d|noon|lunch|mornings?|afternoons?|evenings?|mon|tue|wed|thu|fri|between|from|before|after))',
  ],
  [
    'k',
    `(?:is|are) when (?:i|we) (?:usually |normally |mostly |like to |can )?(?:see|meet|talk to|speak to|catch up with) (?:people|folks?|anyone|everyone|visitors)${END}`,
  ],
  // Approval.
  ['g', `(?:is |are |would be )?(?:(?:all|both) )?(?:sweet|gravy)${END}`],
  ['g', '(?:(?:i|we) )?(?:am |are )?(?:all )?at your (?:disposal|service)(?: (?:on|for))?'],
  [
    'g',
    `(?:is|are) (?:definitely |more |very much |totally )?(?:my|our) (?:jam|thing|bag|happy place|sweet spot|forte|cup of tea|strong suit|element|prime time|golden hours?|peak|power hours?)${END}`,
  ],
  [
    'f',
    '(?:only|one|the only) (?:thing|snag|problem|issue) (?:is|being)(?: that)?|(?:my|our) (?:free|empty|spare) (?:period|lesson|class)',
  ],
  ['f', '(?:on|in|over|during) (?:my|our) lunch(?: (?:break|hour))?(?= (?:\\d|at|from|between))'],
  [
    'f',
    'if you have (?:it|one|that|them|any|something|anything|space|room|time)(?: (?:free|going|open|left|available))?',
  ],
  // Absences.
  [
    'u',
    '(?:will be |am |are |is )?(?:dead (?:to the world|on my feet)|on an? (?:long|double|split|full|13 hour|12 hour) (?:day|shift)|laid up|out of (?:it|commission|play|circulation))',
  ],
  [
    'u',
    '(?:has |have |had )?(?:just )?(?:let me down|cried off|called in sick|pulled out|bailed(?: on me)?)(?: (?:for|on))?',
  ],
  [
    'r',
    '(?:am |are |is |will be )?back (?:on (?:deck|shift|the (?:ward|floor|tools|clock|case|horse|grid))|in (?:action|the land of the living|circulation|the chair|the saddle))(?= )',
  ],
  // "Wednesday is my day with the children".
  [
    'b',
    `(?:is|are) (?:my|our) (?:one )?(?:day|days|time) (?:with|to|for|off) (?!(?:meet|call|you|it|this|chat|talk|catch)[a-z]* ?)(?:the |my |our |a )?[a-z]+(?: [a-z]+)?${END}`,
  ],
  [
    'b',
    `(?:is|are) the (?:one|only) (?:day|time|bit|part)(?: of the (?:day|week))? (?:i|we) (?:get|have|keep|take|save)(?: (?:to|for|with|off))?(?! (?:meet|call|you|free)[a-z]*)(?: (?:the |my |our |a )?[a-z]+){0,2}${END}`,
  ],
  [
    'b',
    '(?:is|are) (?:the |a |our |my )?(?:days? )?(?:without|free of|with no|free from) (?:any )?(?:meetings|calls)(?: in (?:our|my|the) [a-z]+)?',
  ],
  // "Outside calls" are calls with other people.
  ['f', 'outside (?:calls?|people|parties|clients?|meetings?|visitors?|callers?)'],
  [
    'd',
    '(?:bowls|golf|bingo|choir|band practice|night school|bridge club|book club|aquafit|ppa(?: time)?|inset days?|board round|ward round|market day|bowling)',
  ],
  [
    'h',
    `(?:(?:i|we) )?(?:always |usually |also )?(?:do|have) (?:the )?(?:school |nursery )?(?:pick ?- ?up|drop ?- ?off|school run)(?: duty)?(?= )`,
  ],
  [
    'h',
    '(?:i|we) (?:always |usually |also )?(?:help|volunteer|serve|muck in) (?:out )?(?:at|with) (?:the |my |our |a )?[a-z]+(?: [a-z]+)?(?= (?:[.,;!?)—]|from|between|until|on|\\d|in))',
  ],
  [
    'a',
    `(?:(?:it|this|that|we|i) )?(?:needs?|has|have|got|must|gotta) (?:to )?be (?:inside|within|during|in)(?= that)`,
  ],
  ['e', `bar(?= (?:on )?(?:today|tomorrow|the |${DAY}))`],
  // "The dentist is at 3, either side of that is fine": the refusal of the dentist's time says it all.
  ['f', `(?:on )?either side(?: of (?:that|it|them|this))?(?= (?:[.,;!?)—]|works?|suits?|is|would|please|then)|$)`],
  ['f', '(?:please |kindly )(?:do )?note(?: that)?|every (?:single )?day of the week'],
  ['f', '(?:(?:i|we) )?(?:(?:am|was|were|have been|been) )?told to expect'],
  ['~', 'further to (?:[a-z]+ ){1,8}(?:this morning|today|yesterday|earlier)'],
  [
    '~',
    '(?:way )?back in (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|\\d{4})(?= (?:you|we|i|he|she|they) (?:[a-z]+ed|had|met|said|did|were|was|told|spoke|thought|gave|took|made)(?: |$))',
  ],
  // Somebody's work, and what they are invited to.
  [
    'd',
    `(?:an? |the |my |our |his |her )?(?:leaving|works?|christmas|xmas|retirement|birthday|staff|office|hen|stag|engagement) (?:do|dos|bash|drinks|lunch|meal)(?= )`,
  ],
  [
    'd',
    `(?:an?|my|the|long|late|early|night|double|extra|day)(?: (?:long|late|early|night|double|extra|day|cover))? shift(?: (?:at|in|on|with) (?:the |my )?(?:(?!${DAY}|from|until|this|next)[^ .,;!?]+ ){1,2}?(?=${DAY}|\\d|from|until))?(?! (?:it|this|that|the|to|by|back|our|my)(?: |$))`,
  ],
  [
    'h',
    '(?:i|we) (?:always |usually |normally |do |will )*(?:take|have|eat|get) (?:my|our) (?:lunch|dinner|tea|breakfast|lunch break|break|nap|walk|siesta|prayers?)(?= )',
  ],
  [
    'd',
    '(?:dialysis|chemo|chemotherapy|radiotherapy|infusions?|choir|scouts|brownies|cubs|swimming|tennis|badminton|squash|karate|judo|ballet|piano|evensong|parkrun|zumba|crossfit|aqua|playgroup|toddler group|bible study|detention|outpatients?|mdt|steering group|parish council|governors)(?= )',
  ],
  // "I'd choose 4pm over 9am".
  [
    'a',
    '(?:(?:i|we) )?would (?:always |sooner )?(?:choose|pick|take)(?= (?:an? |the )?(?:\\d|mon|tue|wed|thu|fri|morning|afternoon|evening|early|late))',
  ],
  [
    's',
    '(?<=\\b(?:prefer|choose|pick|take|favou?r|rather)\\b[^.;]{1,30} )over(?= (?:the |an? )?(?:\\d|mon|tue|wed|thu|fri|morning|afternoon|evening|early|late|noon|lunch))',
  ],
  // "I fade after three".
  [
    'b',
    '(?:(?:i|we) )?(?:do |tend to |usually |always |start to |really )*(?:fade|flag|wilt|slump|droop|flop|conk out|run out of (?:steam|puff)|go downhill|switch off|zone out|am (?:toast|running on fumes|running on empty|fried|spent))(?= (?:after|from|past)|$| [.,;!?])',
  ],
  [
    'a',
    '(?:(?:i|we) )?(?:do )?(?:like|love|prefer|want) (?:to (?:get|have) )?(?:(?:all )?(?:my|our|all) )?(?:meetings|calls) (?:done|over|finished|out of the way|sorted)(?: with)?(?= (?:before|by|after|in))',
  ],
  ['g', 'too (?:cruel|cheeky|keen|mean|brutal|ungodly|much to ask)(?: (?:for|of) (?:you|me|us|an ask))?(?= \\?)'],
  [
    'g',
    '(?:(?:i|we) )?(?:really |only |usually |do )*(?:come|comes|spring) (?:alive|to life|into my own)|(?:(?:i|we) )?perk up|(?:hit|get into) (?:my|our) stride|fir(?:e|ing) on all cylinders|get going',
  ],
  // "I go for prayers on Fridays 12.30 to 2".
  [
    'h',
    `(?:i|we) (?:always |usually |normally |also )?go (?:for|to) (?:my |our |the |a )?(?!${DAY}|early|late|noon|mornings?|afternoons?|evenings?|lunch (?:at|from)|next|this|one|two|three|half|work|bed|sleep)[a-z]{3,}(?: (?!after|before|until|past|from)[a-z]{3,})?(?= (?:on |at |from |in )*(?:the )?(?:\\d|${DAY}|mornings?|afternoons?|noon|lunch))`,
  ],
  [
    'l',
    '(?:(?:i|we) )?(?:(?:have|has|need|needs|must|got|am|are|due|ought|should|will) )+(?:got )?(?:to )?be (?:off|out of|out|away(?: from)?|clear of|clear|gone(?: from)?|on the road|on my way|heading off|packed up)(?: (?:the |my |this |our )?(?!by|before|at)[a-z]+)?(?= (?:by|before) (?:\\d|noon|half|quarter|one|two|three|four|five|ten|eleven|twelve))',
  ],
  ['l', '(?:gone|off home|home time)(?= (?:by|before|at) (?:\\d|noon|half|two|three|four))'],
  ['d', '(?:check|sign|lock|walk|hand) - (?:in|out|up|over)s?'],
  ['g', '(?:reachable|contactable|around|available|free) otherwise'],
];
