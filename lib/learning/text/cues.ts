import { type Found, type Mention, type Reader, words } from './mentions.ts';

/** What a word or phrase does to the mentions around it. */
export type Cue =
  /** Manners, other times' events, other things that say nothing about when. */
  | 'aside'
  | 'break'
  | 'join'
  | 'to'
  | 'not'
  | 'doubt'
  | 'good'
  | 'bad'
  | 'busy'
  /** I have a call then. */
  | 'have'
  | 'ask'
  | 'need'
  | 'push'
  | 'pull'
  | 'leave'
  | 'back'
  | 'source'
  | 'past'
  | 'only'
  | 'be'
  | 'light'
  | 'after'
  | 'before'
  | 'from'
  | 'until'
  | 'through'
  | 'by'
  | 'between'
  | 'around'
  | 'or_later'
  | 'or_earlier';

const IT = '(?: (?:it|this|that|us|things|the \\w+|our \\w+))?';
const KIND_WORDS =
  '(?:day|days|week|weekend|evening|morning|afternoon|one|time|trip|christmas|xmas|holidays?|new year)';

/** Tried in this order, so that the longer of two that begin alike comes first. */
export const CUES: [cue: Cue, pattern: RegExp][] = (
  [
    [
      'aside',
      `(?:have|enjoy|had|wish you|wishing you)(?: an?| your| the)?(?: \\w+){0,2} ${KIND_WORDS}(?! (?:off|free))`,
    ],
    ['aside', 'good (?:morning|afternoon|evening|day)(?! (?:time|slot))'],
    [
      'aside',
      'happy (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|new year|holidays?|christmas)',
    ],
    ['aside', '(?:please )?let (?:me|us) know(?: asap| soon| as soon as possible| by \\w+)?'],
    [
      'aside',
      '(?:see|talk to|speak to|catch) (?:you|u)(?: all)? (?:later|soon|then|tomorrow|there|next week)|talk (?:later|soon)',
    ],
    [
      'aside',
      '(?:late|last minute|last - minute|short) (?:notice|reply|response|cancellation|change|request|message|night)',
    ],
    ['aside', '(?:said|mentioned|wrote|told|asked|discussed|agreed|noted|emailed|spoke)(?: \\w+)? earlier'],
    [
      'aside',
      '(?:come back|check back|explain|tell|call|send|write|confirm|reply|respond|get back)(?: \\w+){0,3} later',
    ],
    ['aside', 'earlier (?:today|this morning|on)|sooner or later|(?:earlier|later) than (?:expected|planned|usual)'],
    [
      'aside',
      'last (?:night|week|month|time|monday|tuesday|wednesday|thursday|friday)|yesterday(?: \\w+)?|first of all',
    ],
    ['aside', 'any other (?:day|time|slot)|thank(?:s| you)'],
    ['after', 'any (?:time|day) after|not (?:any )?earlier than the|later than|after|following'],
    ['from', 'no (?:earlier|sooner) than|not (?:earlier|sooner) than|earliest|starting(?: from)?|as of|at least'],
    ['by', 'no later than|not later than|at the latest by|latest'],
    ['or_later', 'or (?:later|after)(?: that)?|at (?:the )?earliest|onwards?|and (?:later|after|onwards?)'],
    ['or_earlier', 'or (?:earlier|before|sooner)|at (?:the )?latest'],
    ['good', 'no (?:problem|issue|trouble)(?: with| for)?|not (?:a |an )?(?:problem|issue|mind|bad)|nothing against'],
    ['ask', 'why not|not only|would not mind'],
    [
      'doubt',
      '(?:not|hardly) (?:sure|think|believe|certain|know|expect|see)(?: if| whether| that| how)?|doubt(?: that| if| whether)?',
    ],
    ['source', 'instead of|rather than|in place of|as opposed to'],
    ['not', '(?:wait|hold off|hold on|holding off)(?= until)|(?:keep|protect|guard|reserve)(?! (?:it|this|that|the))'],
    [
      'not',
      'other than|apart from|(?:any|every|all) ?(?:day|days|time|thing)?s? (?:but|except)(?: for| on)?|anything (?:but|except)|rather not',
    ],
    [
      'not',
      'not|never|no|none|nothing|nor|neither|hardly|rarely|without|avoid(?:ing)?|skip(?:ping)?|except(?: for)?|excluding|unless|besides|hate|dislike|unable',
    ],
    ['source', 'than'],
    ['good', 'have (?:some |plenty of |more )?(?:time|space|room|availability|an opening|a gap)'],
    [
      'leave',
      '(?:need|have|got|must|has) (?:to )?(?:leave|go|run|stop|finish|head out|be (?:out|done|off|gone)|(?:pick up|fetch|collect|drop(?: off)?)(?: (?!at|by|before)\\w+){1,3})|hard stop|leave|leaving|my day ends|finish work',
    ],
    ['busy', 'needs? (?:me|us)'],
    ['need', 'needs?|needed|requires?|wants?|like'],
    ['pull', `(?:bring|pull|move|push)${IT} (?:forward|up|in)(?! to)|bring${IT}`],
    ['push', `(?:push|postpone|delay|shift|put|defer|bump|extend)${IT}(?: (?:back|out|off))?|move${IT} (?:back|out)`],
    ['have', '(?:i|we|already|also) have(?! to| time| some| plenty| no)'],
    [
      'busy',
      'on (?:\\w+ )?(?:vacation|holidays?|leave|pto)|on (?:the road|a plane|a flight|a train)|in (?:an? |the |back )?(?:meetings?|calls?|training|workshops?|transit|court|surgery|class|school|interviews?)|(?:at|in) (?:an?|the|our|my) (?:offsite|off - site|conference|fair|summit|doctor|dentist)|out of (?:the )?office|tied up',
    ],
    [
      'busy',
      'closed|sick|teaching|lecturing|presenting|driving|commuting|on (?:call|shift|duty)|busy|booked|away|out|off|travelling|unavailable|vacation|swamped|slammed|flying|ooo?|offsite|occupied|abroad',
    ],
    [
      'back',
      '(?:start|starts|begin) work|get (?:in|to work)|(?:back|return|returning|home again)(?: (?:in|at|to) (?:the office|work|town|my desk))?',
    ],
    [
      'good',
      'works?|working|sounds?|good|great|fine|okay|better|best|possible|perfect|suits?|suit|suitable|free|open|available|ideal|ideally|preferable|doable|fits?|fit|convenient|easier|easiest|an option|option|alright|lovely|nice|wonderful|clear|calmer|quieter|happy|feasible|helps?|so much|much',
    ],
    [
      'bad',
      'hard|harder|useless|tired|exhausted|for (?:deep work|focus|family|thinking|writing|school)|bad|worse|worst|tough|difficult|tricky|rough|awful|terrible|horrible|impossible|packed|full|blocked|crazy|mad|hectic|inconvenient|challenging|brutal|insane|tight|taken|sacred|reserved|painful|problem|problematic|chaos|hell|(?:an? )?(?:\\w+ )?(?:holiday|mess|nightmare|no go|no - go)',
    ],
    ['past', 'was|were|had|normally|usually|originally'],
    [
      'ask',
      `(?:can|could|may|might|shall|should|would|will) (?:we|i|you|it|they|that)|lets?|please|prefer(?:s|ably|red|ence)?|rather|love|how about|how (?:is|does|do)|asked (?:for|if|whether)|what about|maybe|perhaps|possibly|move${IT}|switch|change|swap|exchange|reschedule|rearrange|try|suggest|propose|wish|aim for|go for|go with|chance|is there|(?:must|gotta|got to|has to)(?= (?:be|happen))|make it|meant|instead|hoping|hope|wondering|whether|ideally|make|meet|start|schedule|book|set`,
    ],
    ['only', 'only'],
    ['be', 'is|are|be|am|would|will|does|do|could|can|might|should|looks?|feels?|seems?|it|that'],
    ['until', 'until'],
    ['through', 'through|thru|up to and including'],
    ['before', 'before|ahead of|prior to'],
    ['by', 'by'],
    ['from', 'from|since'],
    ['between', 'between'],
    ['around', 'around|about|ish|roughly'],
    ['join', 'and|or|nor|&|/|\\+'],
    ['to', 'to|for|with|-'],
    ['break', '[.;!?,():"]|but|because|though|although|however|so|as|while|whereas|otherwise|unfortunately|when'],
    [
      'light',
      `the|a|an|this|these|we|i|you|me|us|my|our|your|they|has|everyone|everybody|have|of|on|in|at|if|anything|something|any time|anytime|some time|sometime|whenever|just|really|very|also|then|too|still|more|most|all|both|either|day|days|week|date|dates|time|times|slot|slots|meeting|meetings|call|calls|chat|catch|up|hour|hours|here|well|again|actually|probably|always|usually|quite|pretty|bit|little|now|there|some|any|one|yes|yeah|hi|hello|hey|sorry|afraid|say|over|even|such|yet|cheers|xx|x|me|over here|side|end|part|person|people`,
    ],
  ] satisfies [Cue, string][]
).map(([cue, source]) => [cue, words(source)]);

const VERY =
  '(?:way|far|just|a bit|a little|a tad|bit|quite|really|much|so|very|super|pretty|rather|that|this|awfully|terribly|too|to|kind of|already)';
const complaint = (of: 'early' | 'late', degree: 'too' | 'mild' | 'bare'): Found => ({
  mention: { kind: 'complaint', of, degree },
});
const kind = (name: 'more_time' | 'other_day'): Found => ({ mention: { kind: name } satisfies Mention });

/** Complaints of the hour, and of too little time. */
export const COMPLAINT_READERS: Reader[] = [
  {
    pattern: words(
      `((?:${VERY} ){1,3})(early|late)(?! (?:to (?!start|meet|talk|have)|notice|reply|response|next|this|last|in the (?:week|month)|morning|afternoon|evening))(?: (?:in the day|at night|in the (?:morning|evening|afternoon)|for (?:me|us|my \\w+|our \\w+|him|her|them)))?`,
    ),
    read: ([, very = '', of]) => {
      const side = of === 'early' ? 'early' : 'late';
      if (/\b(?:too|to|so|very|super|way|far|really|awfully|terribly)\b/.test(very)) return complaint(side, 'too');
      return complaint(side, /\b(?:that|this)\b/.test(very) ? 'bare' : 'mild');
    },
  },
  {
    pattern: words('(early|late) for (?:me|us|my \\w+|our \\w+|him|her|them)'),
    read: ([, of]) => complaint(of === 'early' ? 'early' : 'late', 'too'),
  },
  { pattern: words('(?:too|so|a bit|a little|very) soon(?! as)'), read: () => kind('more_time') },
  {
    pattern: words(
      '(?:(?:a )?(?:bit|little) |some |much |any )?more time(?! (?:between|slots?))|not (?:yet |quite |fully |all )?(?:ready|finished|done|prepared|complete)|waiting (?:for|on)|(?:time )?to prepare(?: more| for)?|prepare more',
    ),
    read: () => kind('more_time'),
  },
  { pattern: words('another day|(?:a |some )?different day|not (?:on )?that day'), read: () => kind('other_day') },
];
