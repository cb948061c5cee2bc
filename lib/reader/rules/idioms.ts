import type { Tag } from './tags.ts';

const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const END = '(?= (?:[.,;!?)—]|for|if|by|because|as|with|and|but|or|instead|please|then|so|too|now)|$)';

/**
 * Idioms of everyday English, as patterns with the class of each. They are tried before all other phrases, so that a
 * longer saying wins over the words that it is made of.
 */
export const IDIOMS: [tag: Tag, source: string][] = [
  // Offers: "I could squeeze you in Thursday morning", "can ring from the car any time Friday".
  [
    'a',
    '(?:(?:i|we|you) )?(?:can |could |will |would |might |may )?(?:squeeze|fit|slot|shoehorn|slip|tuck) (?:you|u|it|this|that|us|me|one|a call)(?: in(?: (?:on|for|to))?|(?= between))',
  ],
  [
    'a',
    `(?:(?:i|we) )?(?:can|could|would be able to|am able to|am happy to|happy to|am free to|free to) (?:ring|call|phone|dial|dial in|zoom|jump on|hop on|log on|log in|join|get on|talk|speak|chat|meet|video)(?: (?:you|u|in|up|a call|the call|from (?:the |my )?(?:car ?park|car|train|home|hotel|phone|office|road|van|hospital|airport|there|here|wherever i am)))*(?= (?:any ?time |some ?time |again |then )?(?:(?:on|at|from|around|about|the|this|next|between|early|late|until|before|after|by|in) ){0,3}(?:\\d|half|quarter|noon|lunch|morning|afternoon|evening|tomorrow|today|${DAY}))`,
  ],
  // "Thursday would be mint": slang that praises a time only after a verb.
  [
    'g',
    `(?:is|are|be|would be|will be|sounds?|looks?) (?:be )?(?:(?:just|absolutely|pure|proper|dead|well|so|really|totally|also|much|all|even) )*(?:mint|ace|class|banging|belting|sound|deadly|savage|champion|top|tops|magic|cracking|a cracker|a belter|bang on|bob on|(?:just )?the (?:ticket|job|business|dream)|lush|gravy|sweet|sweet as|stellar|swell|neat|a plan|a peach|a beaut|mega|choice|kosher|plain sailing|tickety boo|hunky dory|any (?:good|use|better|easier)|on the cards|(?:a )?(?:godsend|lifesaver|blessing|relief|dream|miracle)|much appreciated|auspicious|fitting|(?:more|most) (?:suitable|convenient|comfortable|doable|practical|sensible|relaxed|realistic|helpful)|[a-z]{3,}(?<!\\b(?:trick|bus|mess|earl|costl|fuzz|dodg|iff|ugl|hair|scar|craz|nast|shak|chill))ier)(?: to (?:you|me|us)| (?:for )?(?:me|us))?${END}`,
  ],
  [
    'g',
    '(?:a (?:runner|goer|starter|possibility)|any (?:good|use))(?: (?:for|to) (?:you|me|us|everyone))?(?= [.,;!?)—]|$| (?:if|or|instead))',
  ],
  [
    'a',
    'would (?:you|u|it|that|this|everyone|they) be (?:okay|alright|happy|up|able|willing|open|good|free|around|available|amenable|agreeable)(?: (?:with|for|to|on|at|if (?:we|i) (?:did|do|went for|made it|moved it to|met|meet|had it|have it)|(?:do|make|meet|have|move)(?: it| this| that)?|moving(?: it| this| that)?|meeting))*',
  ],
  [
    'a',
    '(?<=^|[.,;!?—] |so |but )mind if (?:we|i|it)(?: (?:do|did|make|made|have|had|move|moved|push|pushed|shift|shifted|switch|switched|change|changed|go|went|say|said|meet|met|is|was))?(?: (?:it|this|that))?(?: (?:to|for|on|at))?',
  ],
  [
    'k',
    '(?:(?:i|we) )?(?:can|could|will|would) only (?:really |actually |just )?(?:be able to )?(?:manage|do|make|offer|get|meet|come|fit|squeeze|join|attend|speak|talk)(?: (?:it|this|that))?(?: (?:in|to))?',
  ],
  [
    'a',
    '(?:i|we) (?:will|shall) (?:say|do|go for|go with|make it|aim for|plan for)(?= )|we (?:will|shall) (?:go|take)(?= (?:for )?(?:mon|tue|wed|thu|fri|tomorrow|\\d|the \\d))',
  ],
  ['g', '(?:is |are |be |would be )?(?:much |far )?better off(?: (?:with|on|doing|having|meeting))?(?: it)?'],
  ['b', '(?:is|are) mine(?= [.,;!?)—]|$)'],
  ['g', '(?<=\\bleave (?:[^ ]+ ){1,5})(?:well )?(?:alone|be|in peace)(?= [.,;!?)—]|$)'],
  [
    'u',
    '(?:i|we) (?:always |usually |normally )?do (?:my |the |our )?(?!(?:not|like|prefer|want|need|think|have|love|mind|work|meetings?|calls?|best|mornings?|afternoons?|evenings?|early|late|apologi[sz]e|appreciate|hope|know|understand|feel|believe|wish|enjoy|most|it|this|that|my|the|all|everything|any|only|weekdays|mon|tue|wed|thu|fri|sat|sun)[a-z]*(?: |$))[a-z]{3,}(?: (?!(?:mon|tue|wed|thu|fri|from|between|every|until|morning|afternoon))[a-z]{3,})?(?:(?<=\\b(?:\\d\\d?|[a-z]+days?|mornings?|afternoons?) (?:i|we) do .{3,30})|(?= (?:on |from |at |between |every |until )*(?:\\d|mon|tue|wed|thu|fri|morning|afternoon|[.,;])))',
  ],
  [
    'f',
    'everything(?! else)|(?:good )?(?:sir|madam|bro|dude|buddy|lads|hun|hon|howdy|greetings)|any longer|any more|anymore',
  ],
  ['x', '(?<!(?:^|[.,;—] |am |is |are |be |back |been |me |us ))at home'],
  [
    'a',
    'how (?:are|is) (?:you|we|things|everyone|your \\w+) (?:fixed|placed|set|looking|doing|sitting)(?: for| on| with| in)*',
  ],
  [
    'a',
    'would it be (?:(?:an?|too|such|very) )*(?:pain|bother|hassle|trouble|problem|much|nightmare|big ask|imposition|awkward|inconvenient|rude|cheeky|okay|alright|possible|fine)(?: (?:of a (?:pain|hassle|bother)|trouble|hassle))?(?: (?:for you|for everyone))?(?: (?:to|if (?:we|i)))?(?: (?:did|do|had|have|met|meet|made|make) (?:it|this)?)?',
  ],
  [
    'a',
    '(?<=^|[.,;!?—] |so |but )(?:(?:is it|any way|is it at all) )?possible to (?:have|do|get|make|hold|see|meet|arrange|schedule)(?: (?:it|this|that|you))?(?: (?:on|at|in|for))?',
  ],
  // "HR asked me to move this to next week" asks as the person who writes does.
  [
    'a',
    '(?:(?:the |my |our )?[a-z]+ )?(?:has |have |had )?(?:asked|told|begged) (?:me|us) (?:to|if (?:we|you) (?:can|could))(?= (?:move|shift|push|postpone|reschedule|change|bring|delay|ask|do|find|switch|swap|rearrange|rebook|make|put))',
  ],
  [
    'f',
    "or (?:bust|nothing|never)(?= [.,;!?)—]|$)|(?:if|as long as|provided) (?:you|we|they|that|it|i|everyone) (?:can|could|would|will|are|is|do|does|have|has|fancy|feel)(?: (?!(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*(?: |$)|(?:not|no|only|today|tomorrow|next|this|before|after|until|at|on|by|in|from|move|shift|push|bring|make|do|start|meet|wait|be|keep|[a-z]+ing)(?: |$))[a-z']+){1,4}(?= [.,;!?)—]|$)",
  ],
  [
    'u',
    '(?:(?:is|are|am|be) )?(?:isolating|convalescing|recuperating|quarantining|recovering)(?: from (?:an? |the |my )?[a-z]+)?(?= )|(?:is|are|am|be|being) (?:off )?(?:sick|ill)(?= )(?! today)|on an? (?:[a-z]+ )?(?:retreat|break|tour|cruise|camp|placement|stag do|hen do|school trip|away day|city break)',
  ],
  [
    'u',
    '(?:has |have |is |are |was |got )?(?:now |just )?(?:been |all )?(?:hijacked|commandeered|swallowed|eaten|gobbled|nabbed|nicked|pinched|stolen|snaffled|wiped out)(?: up)?(?: by (?:the |my |our |an? )?[a-z]+)?',
  ],
  [
    'n',
    '(?:i|we) have (?:now |just )?lost(?= (?:the |all (?:of )?)?(?:mon|tue|wed|thu|fri|morning|afternoon|tomorrow))',
  ],
  // "Another meeting at 3" is one that keeps the person from this one.
  [
    'd',
    '(?<=^|(?:[.,;!?(—]|got|have|has|is|with|because) )another (?:[a-z]+ )?(?:meeting|call|appointment|commitment|engagement|session|interview)(?= (?:at|from|until|between|on|now|then|booked|just)(?: |$))',
  ],
  // "I've been called to court on Wednesday", "I've been double booked at 3".
  [
    'u',
    '(?:(?:i|we) )?(?:have |has |had |got )(?:now |just |also |already )?(?:been )?(?:double - booked|double booked|(?:called|summoned|pulled|dragged|roped|drafted|signed) (?:up |in |into |to |for ){1,2}[a-z]+|(?:asked|told|invited|booked) to (?!move|shift|change|postpone|resched|do|meet)[a-z]+(?: (?:a|an|the|at|in) [a-z]+)?)(?= )',
  ],
  // "I'm flagging by 3" tells how the person is, and names no time.
  [
    't',
    '(?:i|we) (?:am|are) (?:usually |always |normally |often )?(?!(?:leav|finish|go|head|hop|aim|look|land|arriv|start|com|be|return|fly|plann|try)ing )[a-z]{3,}ing(?: asleep| off| out)?(?= by )',
  ],
  [
    'u',
    '(?:(?:i|we) )?(?:(?:am|are|will be) )?(?:work|working|do|doing|pulling) (?:nights?|night shifts?|lates|earlies)(?= )',
  ],
  ['d', '(?:my |a |the )?driving (?:tests?|lessons?)'],
  // "My shift starts at 2".
  ['h', '(?:my|our) (?:\\w+ )?(?:shift|duty|surgery|clinic|stint|watch|rota) (?:starts|begins|kicks off)(?= )'],
  [
    'h',
    '(?:the |my |our |a )?(?:\\w+ )?(?:engineer|plumber|electrician|builders?|midwife|nurse|vet|man|guy|bloke|fella|people|courier|sofa|washing machine|fridge|bed|parcel|delivery|removers?|surveyor|inspector|auditors?|visitors?|relatives?|in - laws|family) (?:is|are)(?: all)? (?:due|expected|booked in|booked|scheduled|calling|arriving|turning up|visiting|coming|here|round)(?: (?:on|at|round|in|over|for))*(?= )',
  ],
  [
    'u',
    `(?:(?:i|we) )?(?:(?:am|are|will be) )?(?:travelling|flying|driving|coming|heading|getting|sailing) (?:back|home|over|down|up)(?: (?:home|from|to) (?:the )?(?!mon|tue|wed|thu|fri|at|on|by)[a-z]+)?(?= (?:on |all |this |most of )?(?:${DAY}|tomorrow|today|that day|the \\d|between|from|until))`,
  ],
];
