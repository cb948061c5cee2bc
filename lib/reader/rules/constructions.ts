import type { Tag } from './tags.ts';

export const WEEKDAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const NUMBER = '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
/** Pattern of the beginning of a time, such as "at 3", "on the 4th" or "next Monday". */
export const TIME = `(?:(?:on|at|from|around|about|for|the|this|next|between|early|late|all|whole|until|before|after|by|in) ){0,3}(?:\\d|half|quarter|noon|lunch|morning|afternoon|evening|tomorrow|today|week|${NUMBER}|${WEEKDAY}[a-z]*)`;
/**
 * Words that cannot be the name of a commitment. "My dentist is on Tuesday" names one, but "my preference is Tuesday"
 * asks for a time.
 */
export const CHOICE =
  '(?:prefer|prefs?|choice|best|better|first|second|third|only|ideal|free|avail|time|times|timing|timings|slot|slots|window|windows|option|earliest|latest|soonest|hours|hour|day|days|week|weeks|shift|shifts|work|working|next|last|meeting|meetings|call|session|calendar|diary|schedule|favou?rite|good|great|nice|perfect|fine|open|clear|quiet|gap|gaps|suggestion|plan|plans|aim|hope|wish|vote|guess|thinking|side|end|deadline|target|one|ones|date|dates|goal|winner|goer|go|shout|bet|possib|request|favou?r|new|right|same|old|original|current|other|busiest|place|zone|office|address|flat|house|door|room|number|email|phone|name|is|are|was|not|can|could|would|will|do|does|have|has|had|i|we|you|your|and|or|but|so|if|to|in|on|at|for|by|from|until|before|after|that|this|then|how|what|when|late|early|later|earlier)';
export const NAME = `(?:(?!${CHOICE}[a-z]{0,8} )(?!${WEEKDAY}(?:[a-z]*day)?s? )[a-z]+ )`;
/**
 * Verbs in "I am …ing" that say how somebody feels about a time, or what they do to the meeting. Any other verb names
 * something that keeps them from meeting.
 */
const WISHING =
  '(?:hop|think|look|wonder|ask|aim|want|try|suggest|propos|request|plann|writ|lean|consider|go|com|be|hav|do|gett|start|return|land|arriv|leav|finish|work|runn|feel|meet|mov|push|shift|postpon|us|tak|say|talk|tell|count|struggl|find|mak|fre|keep|look|miss|follow|check|send|propos|reply|call|reach|apolog|ask|clos|end|assum|guess|afraid|open|mean|expect|see|wait|agree|offer|book|free|begin|lik|diall?|phon|ring|attend|listen|connect|bring|shar|invit|add|chair|record|lead|zoom|join|prepar|sett)ing';

/**
 * Patterns of whole phrases with blanks, such as "my … is at 2". Any word may fill a blank, whereas the plain lexicon
 * has to list each word that it knows. These patterns are tried first.
 */
export const CONSTRUCTIONS: [tag: Tag, source: string][] = [
  // "Anything you have on Friday" asks for one of the other person's times. "You have a call at 3" does not.
  [
    'a',
    '(?<=\\b(?:slots?|times?|ones?|sooner|soonest|earliest|first|next|latest|anything|something|whatever|whichever|what|days?|gaps?|openings?|spaces?) )(?:that |which )?(?:you|they|he|she) (?:have|has|can (?:do|offer|manage|make|find|give me)|could (?:do|offer|manage|make|find|give me))(?: got)?(?: (?:free|open|available|left|going))?',
  ],
  [
    'x',
    '(?:you|your \\w+) (?:have|has)(?: got)?(?! (?:to|no|any|been|time|said|asked|suggested|proposed|offered)(?: |$))',
  ],
  // "Can we make it a call" asks for another kind of meeting.
  [
    'z',
    '(?:make|making|do|doing|have|having|hold|holding|turn|turning|keep) (?:it|this|that|our (?:call|meeting)|the (?:call|meeting))(?: (?:into|as))? (?:an? )?(?:(?:phone|video|zoom|teams|voice) )?(?:call|video|email|phone|zoom|virtual|remote|online|remotely|virtually)(?= [.,;!?)—]|$| (?:instead|please|then|if))',
  ],
  [
    'd',
    '(?:(?:the|my|our|his|her|their) )?(?:(?:kids?|sons?|daughters?|boys?|girls?)(?: is)? )?(?:school|nursery|christmas|xmas|nativity) (?:play|concert|assembly|fair|trip|show|production|do|disco|party|lunch|dinner|carols?)',
  ],
  // "The doctor's appointment moved to Wednesday at 3".
  [
    'h',
    `(?<=\\b(?:appointments?|flights?|trains?|interviews?|exams?|surgery|operation|training|class|lecture|lesson|visit|flight|shift|hearing|scan|delivery|viewing|dentist|doctor|physio|mot|(?:client|board|other|team|customer|another|sales) (?:meeting|call|session|review)) )(?:(?:got|has been|was|been|is been|is|has) )?(?:just )?(?:moved|brought forward|pushed|shifted|rescheduled|changed|put back|pushed back)(?: back| forward| up)? (?:to|until|for|onto)(?= ${TIME})`,
  ],
  // "This can't wait until Wednesday" rules out no day before Wednesday.
  [
    'x',
    '(?:can|could|will|would|do|does|should|must|may|rather) not (?:really |possibly |just )?(?:wait|sit|hold|stay|rest|be left|drag on|hang on|hang around)(?: around)?(?= until )',
  ],
  // "Tuesdays are my office days", "Thursday afternoons are my mentoring slots".
  [
    'k',
    '(?:is|are) (?:my|our) (?:(?:[a-z]+ )?(?:slots?|windows?)|(?:office|work|working|meeting|call|client|contact|campus) (?:days?|hours|times?))(?= [.,;!?)—]|$)',
  ],
  // "Thursday is deadline day", "press day is Tuesday".
  [
    'b',
    `(?<=(?:day|days|mon|tues?|weds?|thu(?:rs?)?|fri) )(?:is|are) (?:my |our |the |a )?(?!(?:good|best|better|ideal|free|open|clear|quiet|fine|office|desk|home|meeting|call|client|work\\w*|campus|preferred|favou?rite|easy|easier|only|first|last|next|same|right|wfh|remote|contact|normal) )[a-z]{3,} days?(?= [.,;!?)—]|$| (?:so|and|because))`,
  ],
  [
    'h',
    `(?<=^|[.,;!—] |my |our |the )(?!(?:good|best|better|ideal|free|only|first|last|next|same|right|other|new|preferred|favou?rite|every|each|one|any|that|this|which) )[a-z]{3,} day is(?= (?:on )?(?:a |always )?${WEEKDAY})`,
  ],
  // "Thursday afternoon is my research time".
  ['b', `(?:is|are) (?:my|our) (?!${CHOICE}[a-z]{0,8} )[a-z]{4,} (?:time|day|days)(?= [.,;!?)—]|$)`],
  ['u', 'on (?:hols|vacay)'],
  // "Great chat on Friday" looks back.
  [
    't',
    `(?<=^|[.,;!—] )(?:(?:it was|was) )?(?:great|good|lovely|nice|brilliant|fab|fun|super|really good|really nice|interesting|useful) (?:chat|chatting|chats|talk|talking|seeing|meeting|catching up|catch up|session|call|work|job|presentation|stuff|game|run|workshop)(?: (?:to|with|by|from) (?:you|u|everyone|the team))?(?: (?:you|u|all|both|everyone))?(?= (?:on |last |this |over )?(?:the )?(?:${WEEKDAY}[a-z]*|yesterday|weekend|week|today|other day)(?: [.,;!—]|$))`,
  ],
  ['x', '(?<=\\b(?:slot|hour|minutes|time|gap|something|anything) )either side of'],
  ['a', '(?:if|whether) there is(?: (?:any|an?|one|some|still))?'],
  // "Hoping to be better by Thursday" asks for no time before it.
  [
    'x',
    '(?:(?:hope|hoping|should|will|going|expect|expecting|might|may) )?(?:to )?(?:be|feel|feeling) (?:better|well|fit|recovered|okay|mended|myself)(?: again)?(?= by )',
  ],
  ['x', '(?:the )?(?:other|wrong|opposite) end of the (?:day|week|month|morning|afternoon)'],
  // "I'm working Saturday" may be the reason for a time or the reason against it.
  [
    'k',
    `(?:(?:i|we) )?(?:am |are )?(?:at work|contracted|employed|on duty)(?= (?:on )?(?:the )?${WEEKDAY}[a-z]* (?:to|-|—|until|through|and|&|,|/) )`,
  ],
  [
    'x',
    '(?:i|we|he|she|they) (?:am|are|is|will be|shall be) working(?= (?:on |this |next |until |all )*(?:mon|tue|wed|thu|fri|sat|sun|until|late))',
  ],
  ['g', '(?:is|are|would be) (?:(?:my|our|your|the) )?(?:best|safest) (?:bets?|shots?|chances?|hopes?)'],
  ['n', '(?:(?:i|we) )?have (?:a )?no (?:- )?meetings?(?= )'],
  // "At Jumu'ah prayers", "at the food bank".
  [
    'u',
    "(?:i|we) (?:am|are) at (?!(?:work|home|your|least|liberty|leisure|ease|a|best)(?: |$)|(?:my|the|our) (?:desk|best|office|sharpest|freshest|place|house))(?:the |my |our )?[a-z']{3,}(?: (?!all |on |this |from |until |at |that |next )[a-z]+){0,2}(?= [.,;!?)—]|$| (?:all|on|this|from|until|that) )",
  ],
  // "I'm only in the office on Tuesdays".
  [
    'k',
    `(?:(?:i|we|he|she|they) )?(?:am |are |is )?only (?:ever |really |physically )?(?:in|at|on)(?: (?:the|my|our))? (?!(?:the|my|our|early|late|morning|afternoon|evening|next|this|at|until|from|after|before|and|or|on|in|weekdays?|half|quarter|noon|\\d+|${NUMBER}|${WEEKDAY}[a-z]*)s?(?: |$))[a-z]{3,}(?: (?:on|in|at))?(?= )`,
  ],
  // "On the tools 8 to 3", "on the ward from 9".
  [
    'u',
    `on the (?!(?:dot|hour|half|first|second|third|last|other|same|day|morning|afternoon|evening|week|next)(?: |$))[a-z]{4,}(?= (?:from |between |until |all )*(?:\\d|${NUMBER} ))`,
  ],
  // "My paternity leave begins on Wednesday" is an absence from that day on.
  [
    'u',
    '(?:my|our|the) (?:\\w+ )?(?:leave|holidays?|vacation|sabbatical|break|trip|jury service|secondment)(?: (?:begins?|starts?|kicks off)(?: on)?)(?= from )',
  ],
  // "My MOT is at 2.30", "our daughter's nativity starts at 3".
  [
    'h',
    `(?:my|our) ${NAME}(?:is )?${NAME}{0,2}(?:is|are|starts?|begins?|runs?|takes place|happens?|falls|comes? up)(?: (?:booked|scheduled|set|fixed|planned|due|in|on|up|for)){0,2}(?= ${TIME})`,
  ],
  // "I am fitting a bathroom on Thursday".
  [
    'u',
    `(?:(?:i|we) )?(?:will be|shall be|am|are) (?:stuck |busy |away |out |still |also )?(?!${WISHING} )[a-z]{3,12}ing(?= )(?! (?:to|for|about|if|whether|of|by) )`,
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
    '(?:(?:please|kindly) )?do (?:the )?needful(?: and)?|(?:at|in) a (?:pinch|push|pickle|squeeze)|if (?:nobody|no one|everyone|everybody|all) (?:minds?|objects?|agrees?)(?: that)?|(?:for )?(?:everyone|everybody|anybody|anyone)(?: involved| concerned)?|as (?:you|we) (?:know|see)|permitting|if pushed|if (?:i|we) must',
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
  [
    'a',
    '(?:(?:i|we) )?(?:would (?:like|love) to|want to|need to|must|hope to) (?:see|meet|catch|speak to|talk to|talk with|speak with|sit down with) (?:you|u|both of you|you both|you all)(?: all)?',
  ],
  [
    'n',
    '(?:please )?spare (?:me|us)(?: from)?(?= (?:the |any |all |your )?(?:mon|tue|wed|thu|fri|early|late|morning|afternoon|evening))',
  ],
  ['f', 'no end(?= [.,;!?]|$)'],
];
