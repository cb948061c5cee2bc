import type { Tag } from './tags.ts';

const DAY_WORDS =
  '(?:day|days|week|weekend|evening|morning|afternoon|one|time|trip|christmas|xmas|holidays?|new year|break|summer)';
const DAY_NAME = '(?:mon|tue|wed|thu|fri|sat|sun)';

/**
 * The longer phrases of the lexicon with the class of each, in the order in which they are tried. They are tried before
 * the single words.
 */
export const PHRASES: [tag: Tag, source: string][] = [
  // The other person's clock is not known here. A time in "I wish it were …" is not the real one.
  [
    'x',
    'your (?:local )?(?:time(?: ?zone)?|morning|afternoon|evening|lunch(?: ?time)?)s?|(?<=(?:am|pm|\\d|noon) )your (?:end|side)',
  ],
  [
    'x',
    `(?:i|we) (?:do )?wish (?:i|we|it|that|there|they|he|she|${DAY_NAME}[a-z]*)(?= |$)|if only(?= (?:i|we|it|that|there|they|he|she|${DAY_NAME}[a-z]*)(?: |$))`,
  ],
  ['t', '(?:could|would|might) have (?:been|done|made|liked|loved|worked|suited|preferred|come|gone)'],
  [
    't',
    `since(?= (?:last |this |early |late |the )*(?:${DAY_NAME}|yesterday|\\d|jan|feb|april|june|july|aug|sep|oct|nov|dec|christmas|easter)[a-z]*(?![a-z])(?! (?:is|are|does|will|would|works?|looks|has|can)))`,
  ],
  [
    'e',
    `unless(?: (?:it|that|this)(?: is| falls| lands)?)?(?: on| in)?(?= (?:(?:the|a|next|this|early|late|before|after|on) )*(?:${DAY_NAME}|morning|afternoon|evening|noon|lunch|tomorrow|today|weekend|\\d))`,
  ],
  [
    'w',
    `should(?= (?:the )?${DAY_NAME}[a-z]* (?:not |be (?:full|taken|bad|out|booked|busy|tricky|difficult|impossible)|prove|turn out|fail))`,
  ],
  [
    'a',
    '(?:if )?(?:i|we) (?:really |absolutely )?(?:have|need) to (?:do|go for|use)(?= (?:it )?(?:on )?(?:mon|tue|wed|thu|fri|sat|sun))',
  ],
  [
    'h',
    '(?:(?:i|we|he|she|they) )?(?:(?:will|am|is|are|must|should|do|be|also|then) ){0,2}(?:drop(?:ping)?|pick(?:ing)?) (?!it up to)(?:(?:it|him|her|them|my|the|our|a|your|car|dog|cat|mum|dad|kids?|sons?|daughters?|child|children|mother|father|wife|husband|bike|van|parents?) ){1,3}(?:off|up)',
  ],
  [
    'h',
    '(?:(?:i|we|he|she|they) )?(?:must|should|will) (?:fetch|collect|pick up|drop off|attend|present|host|teach|look after)(?: (?:my|the|our|her|his) (?:sons?|daughters?|kids?|child|children|mum|dad|wife|husband|mother|father|car)| it| him| her| them)?(?: (?:from|at) (?:the |his |her |their )?[a-z]+(?= (?:at|on|around|by|until)))?',
  ],
  ['x', '(?<=(?:hour|hours|minutes|time|break) )for (?:my |our |a )?(?:lunch|breakfast|dinner)'],
  [
    'n',
    '(?:(?:i|we) )?(?:would |do )?prefer not(?: to)?(?: (?:have|do|take|be|meet|schedule|book))?(?: (?:any|meetings?|calls?|it))*(?: (?:on|in|at))?',
  ],
  [
    'u',
    '(?:is |are )?(?:all|nothing but|wall to wall|full of|non ?- ?stop|one long line of) (?:meetings|calls|interviews|appointments)',
  ],
  ['x', '(?:i|we) have (?:just |already |now )?(?!need)[a-z]+ed(?! (?:in|up|out)(?: |$))(?= )'],
  ['u', '(?:am |are |is )?(?:stuck )?(?:at )?home with (?:him|her|them|the kids|a (?:sick|poorly) (?:kid|child))'],
  [
    'u',
    '(?:(?:am|is|are|be) )?not (?:around|here|online|reachable)(?= (?:until|on|before|after|this|next|mon|tue|wed|thu|fri|sat|sun))',
  ],
  ['e', 'bar(?= (?:the |between |from )?(?:\\d|noon|lunch|morning|afternoon))'],
  [
    'h',
    '(?:i|we) (?:always |usually |then |also )?(?:collect|fetch|pick up|drop off) (?:my |the |our )?(?:kids?|children|sons?|daughters?|boys?|girls?|grandson|granddaughter|grandkids)(?: (?:from|at) (?:school|nursery|kindergarten|daycare|the nursery))?',
  ],
  ['x', '(?:date|game|movie|poker|quiz|pub|film) night'],
  ['u', '(?:on )?(?:sick|annual|parental|maternity|paternity|compassionate|study|unpaid) leave|pto|unwell|poorly'],
  [
    'a',
    '(?:have|do) (?:you|u)(?! mind)(?: (?:got|have))?(?: (?:anything|any|some|an?|time|availability|space|slots?|free|open|available|something|else))*(?: (?:on|in|at|for))?|got anything(?: (?:free|open|available|else))?(?: (?:on|in|at|for))?',
  ],
  [
    'g',
    '(?:(?:i|we) )?(?:have|have got|got)(?: only| just)? (?:an? |one |another )?(?:free |open )?(?:opening|window|slot|hole)(?: (?:free|open|available))?(?: (?:on|in|at))?',
  ],
  [
    'b',
    '(?<=(?:mon|tues?|weds?|thu(?:rs?)?|fri|day) )no(?= (?:on )?(?:mon|tue|wed|thu|fri)[a-z]* (?:yes|okay|good|fine|works))',
  ],
  [
    'g',
    '(?<=(?:day|days|mon|tues?|weds?|thu(?:rs?)?|fri|am|pm|\\d|noon|mornings?|afternoons?|evenings?) )(?:does|do|would|will)(?= [.!?,;]|$)',
  ],
  [
    'u',
    '(?:at home |home )?with (?:the |my |our )(?:kids?|children|family|daughters?|sons?|baby|toddler|mum|mom|dad|parents|grandkids|grandchildren)',
  ],
  ['h', '(?:(?:i|we) )?look(?:ing)? after (?:the |my |our )?[a-z]+'],
  ['x', '(?<!work |working )from home'],
  ['x', '(?:on )?(?:an? |my )?half days?'],
  [
    'o',
    '(?:or )?if (?:that|it|this) (?:(?:is|does|will|would|can|proves)(?: be)? )?(?:no good|not (?:good|possible|work|okay|suit|fit|an option|available|convenient|free|great|be possible)|taken|full|bad|busy|tricky|impossible)(?: for (?:you|everyone))?',
  ],
  [
    'r',
    '(?:my |our |the )?(?:previous |last |earlier |other |prior |preceding )(?:meeting|call|session|appointment) (?:ends|finishes|is over|runs until|goes on until)(?= (?:at |around |about )?(?:\\d|half|quarter|noon))',
  ],
  [
    'r',
    'my (?:meeting|call|session|appointment)(?: before (?:this|this one|ours|that))? (?:ends|finishes|is over)(?= (?:at |around |about )?(?:\\d|half|quarter|noon))',
  ],
  ['v', 'shall(?= be (?:on|away|out|in|off|travelling|unavailable|busy|back)(?: |$))'],
  ['u', '(?:(?:am|is|are) )?not in (?:uni|university|college|school|work|town)|on (?:placement|secondment|rotation)'],
  ['f', '(?:only )?if nothing else(?: (?:works|is free|is available|fits))?'],
  [
    'k',
    '(?:all|the only thing)(?: that)? (?:i|we) (?:have|can (?:do|offer|manage|make)|could (?:do|offer|manage))(?: left| free| open| to offer)?(?: is)?',
  ],
  [
    'g',
    '(?:(?:is|are|would be|be) )?(?:my |our |the )?(?:first|second|third|1 st|2 nd|3 rd|top|next) (?:choice|option|preference|pick)s?(?: (?:is|would be))?',
  ],
  [
    'k',
    '(?:is|are) when (?:i|we) (?:usually |normally |mostly |like to |prefer to |can |could )?(?:take|do|have|hold|accept|schedule|book|meet|am free|are free|am available|are available)(?! (?:the|my|our|his|her|their) (?!meetings?|calls?))(?: (?:my|our|all|most|internal|external|client))*(?: (?:meetings?|calls?|appointments?))?(?= |$)',
  ],
  [
    'h',
    '(?:(?:my|our|the) )?(?:night |day |late |early |evening )?shifts? (?:is|runs|goes)(?! (?:over|done|finished|ended|cancelled))',
  ],
  [
    'x',
    '(?:wife|husband|partner|boss|manager|colleague|team|client|customer|mum|dad|mom|nanny|sister|brother|daughter|son|he|she) works?(?! (?:for|best|well|fine|better|with)(?: |$))',
  ],
  [
    'g',
    '(?:(?:there is|i have|i have got|got) )?nothing (?:at all )?(?:in|on) (?:my|the|our) (?:diary|calendar|schedule|agenda)(?: on| in| at| for)?',
  ],
  [
    '~',
    '(?:(?:i|we|he|she|they) )?(?:(?:am|are|is|will|would|might|may|could|was|were|be)(?: be| also| already)? )?running (?:(?:a|bit|little|very|so|really|quite|too|\\d+|minutes|hours?) ){0,4}late|(?:i|we|he|she|they) (?:will|would|might|may|could|am|are|is|was|were)(?: be)? (?:(?:a|bit|little|very|so|really|quite|too|\\d+|minutes|hours?) ){0,4}late(?! (?:on|in|for))',
  ],
  [
    '~',
    `(?:have|enjoy|had|wish you|wishing you|hope you had|hope you have|hope your)(?: an?| your| the)?(?: (?:great|good|nice|lovely|fantastic|wonderful|super|fab|happy|relaxing|safe|brilliant|amazing)){1,2} ${DAY_WORDS}(?! (?:off|free|works?|slots?))`,
  ],
  ['~', 'good (?:morning|afternoon|evening|day)(?! (?:time|slot|for|to))(?: (?:all|everyone|team|there))?'],
  ['~', 'happy (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|new year|holidays?|christmas)'],
  [
    '~',
    '(?:please )?let (?:me|us) know(?: (?:asap|soon|as soon as possible|by \\w+|what works|if that works|what you think|today|tomorrow))?',
  ],
  [
    '~',
    '(?:see|talk to|speak to|catch) (?:you|u)(?: all)? (?:later|soon|then|tomorrow|there|next week)|(?:talk|speak|chat) (?:later|soon)',
  ],
  [
    '~',
    '(?:for |at )?(?:the )?(?:such )?(?:late|last minute|last - minute|short) (?:notice|reply|response|cancellation|change|request|message|night)',
  ],
  [
    '~',
    '(?<!\\b(?:can|could|might|may|would|happy to|able to|free to) )(?:(?:i|we) )?(?:will |shall )?(?:(?:get|come|be|circle|report) back to|call|ring|phone|email|message|text|ping|update) (?:you|u)(?: all)?(?: (?:by|on|later|tomorrow|today|asap|soon|next week|this week|(?:mon|tues|wednes|thurs|fri)day))+',
  ],
  ['~', '(?:said|mentioned|wrote|told|asked|discussed|agreed|noted|emailed|spoke)(?: \\w+)? earlier'],
  ['~', '(?:come back|check back|explain|tell|send|write|confirm|reply|respond|get back)(?: \\w+){0,3} later'],
  [
    '~',
    'earlier (?:today|this morning|this week|on(?! (?:the |that |this |next )*(?:mon|tue|wed|thu|fri|sat|sun|\\d|same|day)))(?! (?:work|suit|is|would))|sooner or later|(?:earlier|later) than (?:expected|planned|usual|i thought|scheduled)',
  ],
  [
    '~',
    '(?:the )?day before yesterday|(?:at )?last (?:night|week|month|time|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|minute|week is|quarter)|(?:over |at )?the weekend was|yesterday(?: (?:morning|afternoon|evening))?|first of all|at the moment|at this time|this time (?:round|around)|for (?:the |a )?(?:first|second|third) time|any other (?:time|slot)s?(?: works?| is fine)?|any more (?:day|time|slot)s?(?! (?:in |during |on )?(?:next|this|the) week)',
  ],
  [
    '~',
    '(?:the )?(?:earlier|later) (?:email|message|note|invite|meeting (?:overran|ran over))|\\d+ (?:people|of us|person|percent|years? old|year old|floors?|rooms?|stops?|points?|others)|(?:room|floor|version|line|gate|platform|terminal|page|chapter|item|step|level|unit|flat|suite|zone|building|track|number|no) \\d+(?:\\.\\d+)?',
  ],
  [
    'j',
    '(?:because|since|seeing as|given that|given|due to|thanks to|now that|in case|so that|as long as|even though)(?= [a-z])',
  ],
  ['w', 'if(?= (?:the )?(?:mon|tue|wed|thu|fri|sat|sun|tomorrow|next|not|that does not|this))'],
  [
    'f',
    'if (?:at all )?(?:you can (?:face|manage|swing|do|make|squeeze|spare)(?: it| that| me in| the time)?|possible|you can|we can|you could|you do not mind|that is (?:okay|fine|alright|possible|not too much)(?: (?:with|for) (?:you|everyone))?|(?:that|it) (?:works|suits)(?: for (?:you|everyone))?|you are (?:free|able|around|okay)|at all|need be|it is (?:okay|possible|no trouble|alright)|you like|feasible|doable|there is one|you have (?:it|one|time)|you can face it|you fancy)',
  ],
  [
    'a',
    '(?:(?:i|we) )?(?:would|will|should) be (?:very |most |so |really |extremely )?(?:grateful|glad|happy|thankful|obliged|delighted|pleased)(?: (?:if|to|with|for|it|were|was|is|possible|we|you|could|can|meet|do|have|make|move|on|at|in)){0,7}',
  ],
  ['f', 'if it (?:were|was|would be) (?:possible|ok|okay|convenient)(?: to)?'],
  ['f', 'if (?:we|it|it is|you|they|this|that)|only if(?: it is)?'],
  [
    'g',
    'no (?:problem|issue|issues|trouble|worries|bother|objection)s?(?: with| for| on)?|not (?:a |an )?(?:problem|issue|mind|bad)|nothing against|does not (?:matter|bother)|do not mind|never said i (?:can|could) not(?: (?:do|make|manage))?',
  ],
  [
    'a',
    '(?:(?:i|we) )?(?:needs?|wants?|get|have|like)(?: to (?:get|have))? (?:this|it|that|the (?:meeting|call)) (?:done|sorted|finished|over with|out of the way)',
  ],
  [
    'a',
    '(?:it|this|that|the (?:meeting|call|chat|session)) (?:has|needs?|ought|must|should|will have|would have)(?: to)? (?:be|happen|take place|go ahead|start|move)(?: (?:moved|done))?(?: (?:on|in|at|to))?(?! (?:with|in|at) [a-z]{4,}(?<!the|half|quarter|around|about|noon)(?: |$))',
  ],
  [
    'a',
    '(?:(?:i|we) )?(?:have|need|got|ought) to (?:(?:do|have|hold|move|get|shift|change|reschedule) (?:it|this(?! week)|that|the (?:meeting|call))|meet|talk|speak|catch up)(?: (?:on|to|at|in))?',
  ],
  [
    'a',
    '(?:needs?|has|have|ought|must|should|will need|would need|could|can)(?: to)? be (?:moved|rescheduled|changed|shifted|pushed|switched|set up|set|scheduled|postponed|brought forward|done|held)(?: (?:back|out|forward))?(?: (?:to|for|until|on|at))?',
  ],
  ['a', 'why not|not only|would not mind|would it (?:be|kill)|do you mind|do not suppose(?: we| you)?(?: can| could)?'],
  [
    'r',
    '(?:do not |does not |will not )?(?:(?:i|we|my (?:day|shift|work|working day)|the (?:day|office)) )?(?:(?:(?:is|are) )?starting|start|starts|begin|begins|(?:is|are) beginning|log on|sign on|clock in|kick off|get in|get into work|get to work|arrive|arrives|land|lands|landing|arriving|touch down|gets? into|get in|gets in|get back|gets back|get home|come back|comes back|coming back|return|returns|returning|resume|opens?)(?: work(?:ing)?| (?:my|the) day| back| home| to (?:work|the office|my desk)| (?:in|to|into|at) (?!the |my |work )[a-z]{3,}(?<!half|quarter|around|about|noon|ten|eleven|twelve|five|seven|eight|nine|three|four|six|one|two))?(?= (?:at|on|from|around|about|after|until|in|before|by|\\d|half|quarter|noon|mon|tue|wed|thu|fri|sat|sun|the|next|tomorrow|early|late)|$)',
  ],
  [
    'r',
    '(?:am |is |are |be |will be )?(?:not )?(?:back|home|home again|around again|available again|free again|at my desk|at work|in the office|online|reachable)(?: again)?(?: (?:in|at|to|from) (?:the office|work|town|my desk|(?:(?:mat|pat|maternity|paternity|annual|sick|parental|compassionate|study|my|our) ){0,2}(?:leave|holidays?|vacation|hols|honeymoon)|the country|my trip|abroad|(?!mon|tue|wed|thu|fri|sat|sun)[a-z]{4,}))?(?= (?:at|on|from|around|about|after|before|until|in|by|\\d|mon|tue|wed|thu|fri|sat|sun|the|next|tomorrow|half)|$)',
  ],
];
