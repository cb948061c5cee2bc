import type { Tag } from './tags.ts';

const THIS = 'this(?! (?:morning|afternoon|evening|week|weekend|month|coming|mon|tue|wed|thu|fri|sat|sun))';
const WE = '(?:we|i|you|it|they|that|this|he|she|u|the meeting|the call|everyone|anyone)';

/**
 * The longer phrases that turn a time down, limit it or wish for it, and those for the end of somebody's day, with the
 * class of each. They are tried after the phrases in `phrases.ts`.
 */
export const REFUSAL_PHRASES: [tag: Tag, source: string][] = [
  [
    'n',
    `it is not that|(?:do|does|did|am|is|are|would) not (?:think|believe|expect|see|know|reckon|suppose|imagine|sure|certain|convinced|confident)(?: if| whether| that| how)?(?: ${WE})?(?: can| could| will| would)?|(?:not|hardly) (?:sure|think|believe|certain|know|expect|see|convinced|confident)(?: if| whether| that| how)?(?: ${WE})?(?: can| could| will| would)?|doubt(?: that| if| whether)?(?: ${WE})?(?: can| could| will| would)?`,
  ],
  ['s', 'instead of|rather than|in place of|as opposed to|not' + '(?= (?:on )?the (?:old|original))'],
  [
    'n',
    '(?:protect|guard|reserve|block out|block off|blocking)(?! (?:it|this|that|me|on|at|by|early|later|your|you|us|until))(?: the| my| our)?',
  ],
  ['c', '(?:keep|keeping|hold|leave)(?! (?:it|this|that|me|on|at|by|early|later|your|you|us|until))(?: the| my| our)?'],
  [
    'k',
    '(?:nothing|no day|no time|no slot|none|no other (?:day|time)) (?:but|except(?: for)?|other than|apart from|besides)(?: on| at)?',
  ],
  [
    'e',
    'other than|apart from|aside from|with the exception of|(?:any|every|each|all) (?:days?|time|thing) bar|(?:any|every|all) ?(?:day|days|time|thing|where)?s? (?:but|except|save)(?: for| on)?(?! (?:make|it|must|preferably|ideally|only|not|please|has|needs|i|we)(?: |$))|anything (?:but|except)(?: for| on)?|(?<=\\b(?:any|every|all|each) [a-z]{3,}(?: (?:this|next) week)? )(?:but|bar|save)(?: for| on)?(?= (?:on |the )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*(?: is)?(?: (?:morning|afternoon))?(?: [.,!?;]|$))|except(?:ing)?(?: for| on| not)?|(?<=(?<!\\b(?:no|not|any) )(?:days?|week|works?|fine|free|okay|good|open|anything) )(?:but|bar|save)(?: for| on)?(?= (?:on |the )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*(?: is)?(?: (?:morning|afternoon))?(?: [.,!?;]|$))',
  ],
  [
    'n',
    'no to|outside(?: of)?(?= (?:the |my |our |these |those |that |of |normal |core |office |work|business |school |term )*(?:\\d|hours|time|term|lunch|noon|window|one|two|nine|ten|that|those|these|mon|tue|wed|thu|fri|morning|afternoon|evening|it))|(?<!\\b(?:slot|hour|minutes|time|gap|something|anything|it) )either side of|(?:would )?rather not(?: have| do| be| meet| it)?(?: on| in| at)?|(?:just|but|only|and|any time but) not',
  ],
  [
    'n',
    '(?:steer|stay|keep) (?:clear|away) (?:of|from)|(?:can|could|will|would|am|is|do|does|are|have) not(?: (?:really|actually|possibly|ever|even|quite|usually|generally|currently|now))?(?: (?:be able|want|need|like|manage|able))?(?: to)?(?: (?:do|make|meet|have|take|join|attend|manage|be|do it|make it|it be|book|schedule|put|accommodate|commit|dial in|get to|touch|face|stand|handle|take calls|talk|go|go for|use|move it|move))?(?: (?:it|me|us|meetings|calls|anything))?(?: (?:to|on|in|at|for))?',
  ],
  ['n', 'no longer(?: (?:work|available|free|do|make))?'],
  ['x', 'when (?:i|we) say(?: [a-z]+){1,3}? (?:i|we) mean'],
  [
    'n',
    'not (?:really |exactly )?(?:a |an )?(?:big |huge |great |massive )?fan of|not (?:keen|hot|big) on|not (?:really )?(?:a |an )(?=(?:early )?(?:morning|afternoon|evening|night))',
  ],
  ['n', '(?:no|zero) (?:- )?meetings?(?! (?:days?|time|zone))(?: on| in| at)?|meeting (?:- )?free(?! (?:days?|time))'],
  [
    'n',
    'not|never|no|none|nothing|nor|neither|hardly|rarely|seldom|avoid(?:ing)?|skip(?:ping)?|miss(?:ing)?|exclud(?:e|ing)|minus|besides|hate|dislike|detest|loathe|unable|no way|no chance|ditch|drop|scrap|rule out|ruling out|struggle(?: to do| with| to make)?|as few',
  ],
  ['s', 'over(?= (?:the )?(?:mon|tue|wed|thu|fri|sat|sun|morning|afternoon|evening|early|late))'],
  ['s', '(?:better |easier |quieter |later |earlier )?than'],
  ['g', '(?<=(?:day|mon|tues?|weds?|thurs?|thu|fri|th|st|nd|rd|\\d|am|pm|morning|afternoon) )(?:yes|yep|yeah)'],
  ['g', '(?:focus|work|think|concentrate|function|perform) best|at (?:my|our) best'],
  [
    'g',
    '(?:have|got|have got) (?:some |plenty of |more |lots of |loads of )?(?:time|space|room|availability|an? (?:opening|gap|window|slot|free slot|hole|free (?:hour|morning|afternoon|day|window)))(?: free| open| available)?(?: on| in| at)?',
  ],
  // "Part time: Mon 9 to 2, Tue 9 to 2" names the only hours.
  [
    'k',
    '(?:(?:i|we) )?(?:(?:am|are|work|do|have|working|back|now|on|a|down to|in) )*(?:(?:only )?part(?: - )? ?time|term(?: - )? ?time|job share|(?:two|three|four|\\d) days(?: (?:a|per) week)?|compressed hours|phased return|reduced hours|half days|(?:my |our )?(?:work(?:ing)? )?(?:pattern|week))(?= [:;,.(!—-] (?:[!.] )*(?:mon|tue|wed|thu|fri|sat|sun|\\d))|(?:my |our )?work(?:ing)? pattern(?= (?:mon|tue|wed|thu|fri|sat|sun))',
  ],
  [
    'k',
    '(?:i|we) (?:only |mostly |just )?work(?: from)?(?! (?:from home|at|in|with|for|on (?:a|the|my))(?: |$))|(?:my |our )?(?:work(?:ing)?|office|meeting|contact|core|available|clinic) (?:hours|days) are|(?<=^|[.,;:!?—(] |my |our |the |and |so )(?:hours|days) are|(?:my |our )?(?:working|work|core) (?:hours|window)(?= (?:from )?\\d)|(?:my|our) (?:usual |normal )?(?:timings?|window|schedule|day|availability) (?:is|are|runs?|goes)(?= (?:from |between )?\\d)|(?:my |our )?work(?:ing)? (?:pattern|week) is',
  ],
  [
    'h',
    '(?:(?:i|we|he|she|they) )?(?:need|needs|have|has|must|got|gotta|having)(?: got)? to (?:be (?:at|in|on|with)|pick up|pick|fetch|collect|drop|drop off|take|get|attend|present|catch|see|meet|sort|do|give|go to|drive|run|cover|help|visit|look after|travel|sit|host|join|work|interview|deliver|speak|teach)(?! (?:it|this|us|you|something|the meeting)(?: |$))',
  ],
  ['u', '(?:needs?|wants?|requires?|has|have) (?:me|us)(?: (?:in|on|for))?'],
  [
    'a',
    '(?:would|do) (?:you|u|anyone|anybody|everyone) mind(?: (?:if|it if|us|awfully|terribly|very much)){0,4}(?: (?:we|i))?(?: (?:met|moved|did|made|had|shifted|pushed|do|have|meet|moving|doing|having|changing|change|changed|switched|rescheduled|went|talked|spoke))?(?: (?:it|this|that))?(?: (?:to|on|at|for))?',
  ],
  [
    'a',
    `(?:i|we) (?:would )?(?:like|love|prefer|want|need|wish|hope)(?: to)?(?: (?:do|have|meet|see|make|move|schedule|book|get|go for|go with|aim for|get together))?(?: it| ${THIS}| something| that| things| you| me| mine)?(?: to be| be| to)?(?! (?:to|time|more))`,
  ],
  [
    'a',
    '(?:(?:i|we) )?(?:was|were|am|are) (?:hoping|thinking|wondering|looking|after|aiming|keen|happy|asking)(?: (?:for|of|if|whether|about|to|on|in|at|that))*',
  ],
  [
    'l',
    '(?:(?:i|we) )?(?:need|needs|have|has|must|should|got|want|will|would|gotta|ought|do)(?: (?:to|got to|really)){0,4} (?:be )?(?:leave|go|run|dash|stop|finish|head out|head off|set off|wrap up|log off|sign off|be (?:out|done|off|gone|away|finished)|out|done|off|gone|finished|over|clear|offline|end|wrapped up)(?: for [a-z]+| home| up)?(?= (?:at|by|before|until|no later|around|\\d|half|quarter|on|noon))',
  ],
  [
    'l',
    '(?:(?:i|we|it|my (?:day|shift|work|working day|hours)|the (?:day|meeting|office|building|nursery|creche)) )?(?:have |with )?(?:an? |my )?(?:hard stop|hard out|(?:leave|leaving) (?:the (?:office|house|building)|town|here|work|home)|leave|leaving|knock off|clock off|clock out|log off|logging off|log out|sign off|finish|finishing|finishes|head off|head home|end|ends|closes|shuts|stop work|stop working|stop|close)(?: work| (?:my|the|our) day| for the day)?(?= (?:at|by|before|around|about|\\d|half|quarter|on|early|noon|one|two|three|four|five|six))',
  ],
  [
    'l',
    '(?:is|am|be|are) (?:done|out|gone|finished|offline|off|over|through|wrapped up)(?= (?:at|by|from|after|before) )|(?:done|finished|over|wrapped up|out)(?= by )',
  ],
];
