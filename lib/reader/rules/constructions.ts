import type { Tag } from './tags.ts';

const WEEKDAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const NUMBER = '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
/** The start of a time: "at 3", "on the 4th", "next Monday". */
const TIME = `(?:(?:on|at|from|around|about|for|the|this|next|between|early|late|all|whole|until|before|after|by|in) ){0,3}(?:\\d|half|quarter|noon|lunch|morning|afternoon|evening|tomorrow|today|week|${NUMBER}|${WEEKDAY}[a-z]*)`;
/** Words with which a noun does not name a commitment: "my preference is Tuesday", "Friday is the best". */
const CHOICE =
  '(?:prefer|prefs?|choice|best|better|first|second|third|only|ideal|free|avail|time|times|slot|slots|window|windows|option|earliest|latest|soonest|hours|hour|day|days|week|weeks|shift|shifts|work|working|next|last|meeting|meetings|call|session|calendar|diary|schedule|favou?rite|good|great|nice|perfect|fine|open|clear|quiet|gap|gaps|suggestion|plan|plans|aim|hope|wish|vote|guess|thinking|side|end|deadline|target|one|ones|date|dates|goal|winner|goer|go|shout|bet|possib|request|favou?r|new|right|same|old|original|current|other|busiest|place|zone|office|address|flat|house|door|room|number|email|phone|name|is|are|was|not|can|could|would|will|do|does|have|has|had|i|we|you|your|and|or|but|so|if|to|in|on|at|for|by|from|until|before|after|that|this|then|how|what|when|late|early|later|earlier)';
const NAME = `(?:(?!${CHOICE}[a-z]{0,8} )(?!${WEEKDAY}(?:[a-z]*day)?s? )[a-z]+ )`;
/**
 * Verbs in "I am …ing" that say how somebody feels about a time, or what they do to the meeting. Any other verb names
 * something that keeps them from meeting.
 */
const WISHING =
  '(?:hop|think|look|wonder|ask|aim|want|try|suggest|propos|request|plann|writ|lean|consider|go|com|be|hav|do|gett|start|return|land|arriv|leav|finish|work|runn|feel|meet|mov|push|shift|postpon|us|tak|say|talk|tell|count|struggl|find|mak|fre|keep|look|miss|follow|check|send|propos|reply|call|reach|apolog|ask|clos|end|assum|guess|afraid|open|mean|expect|see|wait|agree|offer|book|free|begin|lik|diall?|phon|ring|attend|listen|connect|bring|shar|invit|add|chair|record|lead|zoom|join|prepar|sett)ing';

/**
 * Patterns of whole phrases with open slots, such as "my … is at 2". Any word may fill a slot, whereas the plain
 * lexicon has to list each word that it knows. These patterns are tried first.
 */
export const CONSTRUCTIONS: [tag: Tag, source: string][] = [
  // "My MOT is at 2.30", "our daughter's nativity starts at 3".
  [
    'h',
    `(?:my|our) ${NAME}(?:is )?${NAME}{0,2}(?:is|are|starts?|begins?|runs?|takes place|happens?|falls|comes? up)(?: (?:booked|scheduled|set|fixed|planned|due|in|on|up|for)){0,2}(?= ${TIME})`,
  ],
  // "I am fitting a bathroom on Thursday".
  [
    'u',
    `(?:(?:i|we) )?(?:will be|shall be|am|are) (?:stuck |busy |away |out |still |also )?(?!${WISHING} )[a-z]{3,12}ing(?= )(?! (?:to|for|about|if|whether|of) )`,
  ],
  [
    'u',
    '(?:(?:i|we) )?(?:will be|am|are) (?:stuck|tied|chained|needed|wanted|expected|booked in|due)(?: (?:there|here|in|at|to|on|with|up))*(?= )',
  ],
  // "Friday is the Christmas do".
  [
    'b',
    `(?<=(?:day|mon|tues?|weds?|thu(?:rs?)?|fri|th|nd|rd|st) )(?:is|are) (?:the|an?|our)(?: (?!${CHOICE}[a-z]{0,8}(?: |$))(?:of )?[a-z]+){1,4}(?= [.,;!?:)—]|$| (?:because|and|so|but) )`,
  ],
  ['b', '(?:is|are) (?:now |all |already )?gone(?! (?:at|by|from|after|before|until|to|for))'],
  [
    'g',
    '(?:is|would be|will be) (?:what|the one) (?:i|we) (?:would |will )?(?:go for|choose|pick|prefer|like(?: best)?|take|vote for)',
  ],
  [
    'g',
    '(?:(?:would|will|does|do) )?(?:suits?|works? for|fits?) (?:me|us) (?:down to the ground|to a t|a treat|fine|best|well|perfectly|nicely|just fine)',
  ],
  [
    'g',
    '(?:there )?(?:is|are|would be|will be) no (?:difficulty|bother|obstacle|drama|hassle|conflict|clash)(?: at all)?',
  ],
  [
    'g',
    '(?:(?:is|are|would be|will be) )?(?:(?:dead|very|really|so|nice and|both|all|pretty) )*(?:easy|simple|painless|dandy|a cinch|a breeze|a doddle|free as a bird|going spare|wide open|my oyster)(?= [.,;!?)—]|$| (?:for|and|or|too|as))',
  ],
  [
    'g',
    '(?:(?:i|we) )?(?:can |could |will |would |should |am |are )(?:be )?(?:all |properly |fully )?(?:human again|human|mended|rested|alive|awake|fit|recovered|sorted|my own (?:boss|man|woman)|myself again)(?: again| by then)?',
  ],
  [
    'g',
    'not (?:fussed|bothered|picky|fussy|precious|particular|choosy|worried)(?: (?:about|if|whether|which|either|way|it|is|between|what)){0,4}|(?:am|are) easy(?: (?:about|whether|if|which|between|it|is)){0,3}',
  ],
  [
    'a',
    '(?:(?:i|we) )?(?:do )?wonder(?: (?:whether|if|about))?(?: (?:it|we|you|i))?(?: (?:could|can|might|would))?|(?:give|offer|get|grab|pick|choose) (?:me |us )?(?=(?:\\d|noon|half|quarter|mon|tue|wed|thu|fri|a |an |any |one |some |either ))',
  ],
  [
    'f',
    '(?:(?:please|kindly) )?do the needful(?: and)?|(?:at|in) a (?:pinch|push|pickle|squeeze)|if (?:nobody|no one|everyone|everybody|all) (?:minds?|objects?|agrees?)(?: that)?|(?:for )?(?:everyone|everybody|anybody|anyone)(?: involved| concerned)?|as (?:you|we) (?:know|see)|permitting|if pushed|if (?:i|we) must',
  ],
  // "I've got until 1" names the time that is left.
  [
    'k',
    '(?:i|we) have(?: only)?(?: got)?(?: only| just)?(?: time)?(?= until (?:\\d|noon|half|lunch|quarter|one|two|three|four|five|ten|eleven|twelve))',
  ],
  [
    'g',
    'is the (?:first|earliest|soonest)(?: (?:day|time|date|slot|point|one))?(?: (?:that|when|where))?(?: (?:i|we) (?:can|could|am|will|would)(?: (?:be|do|make|manage|offer|meet|talk))?(?: (?:online|there|back|free|around|available|here|it))?)?(?: for sure)?',
  ],
  [
    'g',
    'would (?:save (?:me|us)(?: [a-z]+)?|do (?:me |us )?nicely|suffice|be (?:enough|plenty|a godsend|a lifesaver|my pick|my choice))',
  ],
  ['g', '(?:i|we) (?:am|are|will be) (?:in the office|in town|on site|at my desk|around|here) (?:anyway|all day|too)'],
  [
    'a',
    '(?:which|that) (?:only |just )?leaves (?:us |me )?(?:with )?(?=(?:tomorrow|today|\\d|the|mon|tue|wed|thu|fri|next))|(?<=kindly )(?:see|check|look at)',
  ],
  [
    'n',
    '(?:do|please do) not (?:count on|expect|rely on|wait for|bother|try|ask|book|give|offer|put|schedule|plan)(?: (?:me|us|it|anything))?(?: (?:on|in|at|for|with))?',
  ],
  // The person who writes says what somebody else wants or does, and asks for nothing.
  [
    'x',
    '(?:they|he|she|who) (?:do|does|did|wants?|wanted|needs?|likes?|prefers?|preferred|asked for|suggested|proposed)(?: (?:to|the|it|me|us|this|done|finished|sorted))*|nothing else(?! (?:than|but))',
  ],
  // "The district nurse comes on Mondays between 9 and 11".
  [
    'h',
    `(?:the|my|our) ${NAME}{1,3}(?:comes?|visits?|turns? up|drops by|pops (?:in|by)|is (?:here|round|coming)|are (?:here|round|coming))(?: (?:round|in|by|over|to us|for us))?(?= ${TIME})`,
  ],
  // "Bench time is mornings".
  [
    'h',
    `(?!${CHOICE}[a-z]{0,8} )(?!core|quality|office|my|lunch|peak)[a-z]{3,} (?:time|work|duty|practice) (?:is|are)(?= (?:on )?(?:the )?(?:mornings?|afternoons?|evenings?|mon|tue|wed|thu|fri|sat|sun))`,
  ],
  [
    'u',
    '(?:at|in|over at|up at|down at) (?:the |our |my |a )?(?:other|second|main|far|remote|client|[a-z]{4,}) (?:site|campus|branch|plant|depot|store|shop|clinic|surgery|lab|warehouse|factory|ward)(?! (?:hours|party))',
  ],
  ['u', 'asleep|sleeping|in bed'],
  ['a', '(?:let|have) (?:it|us|this) (?:start|begin|kick off)(?: (?:at|from|on))?'],
  [
    't',
    '(?:has|have|had) (?:already |now |just )?been (?:moved|pushed|postponed|rescheduled|shifted|changed)|(?:runs?|ran) out|expires?|lapses?|falls? due|(?:is|are) due(?= on)',
  ],
  ['x', 'breaks? up|broke up|out of (?:order|service|stock|date)'],
  [
    'a',
    '(?<=(?:can|could|shall|may|might) (?:we|you|they) )(?:hold|host|run) (?:it|this|that|the (?:meeting|call|session))',
  ],
  [
    'u',
    '(?:(?:i|we) )?(?:will be|am|are) with (?!(?:you|it|that|this|them|him|her)(?: |$))(?:the |an? |my |our )?[a-z]+',
  ],
  // "I need until Friday" asks for no day before it.
  [
    'p',
    '(?:(?:i|we|they|he|she|who) )?(?:(?:will|would|do|might|may) )?(?:needs?|have|take|takes)(?: (?:time|more time))?(?= until (?:at least )?(?:the |next |mon|tue|wed|thu|fri|sat|sun|\\d{1,2} (?:st|nd|rd|th|dec|jan)|tomorrow|january|december))(?<!(?:i|we) have)(?<!\\bhave)',
  ],
  [
    'h',
    '(?:(?:i|we) )?(?:am|are) (?:meant|supposed|due|expected) to be (?:in|at|on) (?!(?:the (?:morning|afternoon|evening))|mon|tue|wed|thu|fri)(?:the |a |my )?[a-z]{3,}',
  ],
  ['g', '(?:is|has|have) (?:got )?nothing (?:in|on)(?: it| then)?'],
  [
    'g',
    '(?:i|we) have (?:got )?(?:only )?(?:(?:an?|one|some|the) )?(?:(?:free|spare|clear|open|quiet) (?:hours?|half hour|time|moment|bit|afternoon|morning|spell)|gap)(?: free)?(?! (?:of|to|in my|in our))',
  ],
  [
    'e',
    `(?<=\\b(?:any ?time|any|every|all|each|all day|whenever) (?:time |day )?(?:on )?(?:(?:this|next) )?(?:week|${WEEKDAY}[a-z]*) )(?:but|bar|save)(?: for| from)?(?= (?:\\d|between|lunch|noon|the (?:morning|afternoon)|mornings?|afternoons?))`,
  ],
  ['|', 'lol|haha|hahaha|lmao'],
  // "I take my son to football at 4".
  [
    'h',
    '(?:i|we) (?:(?:always|usually|will|must|also) )?(?:take|bring|drive|walk) (?:my|our) [a-z]+ to(?: (?:the|his|her|their|an?))?',
  ],
];
