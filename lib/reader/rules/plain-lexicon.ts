import type { Tag } from './tags.ts';

const IT =
  '(?: (?:it|this|that|this one|that one|us|things|(?:the|our|this|that) (?:meeting|call|chat|catch up|session|review|appointment|sync|slot|time|start|thing|one|standup|demo|interview)))?';
const ADJ =
  '(?:(?:an?|the|my|our|his|her|their|another|some) )?(?:(?:kids?|son|daughter|team|client|customer|company|big|quick|weekly|daily|monthly|regular|annual|quarterly|board|sales|staff|parents|internal|external|dentists?|doctors?|hospital|medical|eye|gp|physio|vet|hair|school|nursery|baby|blood|driving|job|product|sprint|year|end of|all - hands|all hands|one to one|one - to - one|1 : 1|exec|group|visa|boiler|gas|plumber|midwife|antenatal|bin|removal|therapy|ballet|swimming|football|piano|music|tennis|karate|dance|yoga|pilates|spin|gym) )';
const THIS = 'this(?! (?:morning|afternoon|evening|week|weekend|month|coming|mon|tue|wed|thu|fri|sat|sun))';
const WE = '(?:we|i|you|it|they|that|this|he|she|u|the meeting|the call|everyone|anyone)';

/**
 * The words of the lexicon, as patterns with the class of each. The reader tries these patterns if no longer phrase
 * fits. It takes the first that matches, in this order, whatever their classes. Only the patterns of the classes `~`
 * and `w` are tried before all others.
 */
export const WORDS: [tag: Tag, source: string][] = [
  [
    'z',
    `durations?|lengths?|extend(?:s|ed|ing)?|extension|lengthen|prolong|shorten|shorter|(?<!any )longer(?! (?:available|free|able|works?|possible|suits?|do|make))|(?:hours?|minutes) long|long (?:is|will|does)|last(?:ing|ed)|lasts?(?= (?:for |until |about |only |around )*(?:\\d|an? |one|two|three|four|half|all|that))|end time|ending time|(?:location|venue|title|name)(?= (?:of|to|from))|invit(?:e|es|ing)|add(?:ing|ed)?(?! up)|remov(?:e|es|ing)|renam(?:e|ing)|attendees?|include`,
  ],
  ['a', '(?:be )?able to(?: (?:do|make|meet|manage|have|talk|join))?(?: it| this)?'],
  [
    'a',
    '(?:needs?|has|have|got|must|gotta|ought|ha[ds]) (?:to )?(?:be|happen|move|go|start|take place|meet|reschedule|be moved|move it|push it|shift it)(?: (?:to|on|for|at|in))?|needs?(?: it| this| that| us| something| a| an| to){0,4}|wants?(?: it| this| to| us| something){0,4}|requires?|request(?:ing|ed|s)?(?: to| that| for)?|ask(?:ing)? (?:to|for|that)',
  ],
  [
    'q',
    `(?:prepon(?:e|ed|ing)${IT}|(?:bring|pull|push|move|brought|draw|shift|slide)${IT} (?:forwards?|up|ahead|closer|nearer|in(?= by| an?| \\d| half| two| a))(?! to)(?: (?:a bit|a little|slightly|a touch|a tad|some|somewhat))?|expedite${IT}|(?<!in )advance (?:it|this|that|the meeting|the call|us)|hasten|bring${IT}(?= (?:\\d|half|an hour|a (?:bit|little|touch|day|week|fortnight|tad|few|couple)|one|two|three)))`,
  ],
  ['m', `(?:(?:bring|pull|push|move|shift|bump|slide|nudge)${IT} (?:forwards?|up|back|out|ahead) (?:to|until))`],
  [
    'p',
    `(?:push|pushing|put|shift|move|moving|slide|bump|shove|knock|kick|nudge|drag|pushed|moved|shunt|hold|shove|drop|nudging|bumping|sliding|shoving|putting|shifting)${IT} (?:back|out|off|on(?! (?:on|to|mon|tue|wed|thu|fri|sat|sun|the))|further out|further back|further|along|down(?: the (?:road|line|track))?|backwards?|down the calendar|into the future)(?: (?:a bit|a little|slightly|a touch|a tad|some|somewhat|further|more))?`,
  ],
  [
    'p',
    '(?:skip|jump|leave) (?:(?:it|this|that|us|ahead) (?:to|till|until|for)|to|till|until)(?! now)|(?:give|allow|grant|buy) (?:me|us)(?! (?:an? |some |any |the )?(?:other|another|different|new|better|alternative) )',
  ],
  [
    'p',
    `(?:postpon(?:e|ed|ing|ement)|delay(?:ing)?|defer(?:ring)?|hold off|holding off|(?<=(?:can|could|it|this|to|must|should|will|we|that) )wait|wait(?= (?:until|a|for|another|till))|stall|suspend|slip|adjourn)${IT}(?: (?:back|out|off|on|a bit|a little|further|more))?(?! for| on)`,
  ],
  ['p', `(?:push|pushing|bump|shove|nudge|kick)(?!${IT} (?:up|forwards?|ahead) to)${IT}(?! (?:up|forwards?|ahead) to)`],
  [
    'm',
    `(?:move|moving(?! (?:house|home|flats?|apartments?|offices?|day|out|in)(?: |$))|shift|shifting|slide|updat(?:e|ing)|modify(?:ing)?|amend(?:ing)?|switch(?:ing)?|change|changing|swap|swapping|exchange|reschedul(?:e|ing)|rearrang(?:e|ing)|re - arrange|relocate|transfer|adjust(?:ing)?|rebook|re - book|rejig)${IT}(?: over)?(?: (?:to|for|into|onto|on|in|towards?|closer to|nearer to|nearer|from)){0,4}`,
  ],
  [
    'h',
    '(?:(?:i|we|he|she|they|you|my \\w+|our \\w+|there|it|the (?:kids?|team|boss|client|baby|car|cat|dog)) )?(?:already |also |just |then |now ){0,4}(?:have|has|got|have got|has got|having|will have|had to book|is having|am having)(?: (?:got|already|also|another|my|an?|the|our|some|(?:two|three)(?! (?:hours?|minutes|days?|weeks?)(?: |$))|back - to - back|a lot of|to)){0,4}(?! (?:time|some|plenty|no|free))|there is(?: an?| the| my| our)?|(?:comes? (?:up|along)|clashes|collides?|colliding|conflicts?|clashing|conflicting|overlaps?|overlapping|bumps (?:into|up against)|runs into)(?: with)?(?: my| the| an?| our| another)*',
  ],
  [
    'u',
    '(?:am|are|be) (?:over |down |up )?in (?!(?:the|a|an|my|our|your|early|late|touch|need|favou?r|agreement|on|from|at|until|till|before|after|by|for|all|again|person|mon|tue|wed|thu|fri|sat|sun|this|next)[a-z]* )[a-z]+',
  ],
  ['b', '(?:is|are) (?:when|where|for)(?! (?:me|us|you|both|this|it|the best))(?: i| we)?'],
  ['b', '(?:is|are) not (?:going to|gonna) (?:work|happen|fly|suit|be possible)|not going to (?:work|happen|fly|suit)'],
  [
    'u',
    'on (?:nights|earlies|lates)|on (?:\\w+ )?(?:vacation|holidays?|leave|pto|annual leave|maternity leave|paternity leave|jury duty|site|call|shift|duty|night shift|the road|a plane|a flight|a train|trains|planes|flights|the train|a course|a trip|a call|calls|another call)',
  ],
  [
    'u',
    '(?:in|at) (?:an? |the |my |our |back - to - back |back to back |all day ){0,4}(?:meetings?|calls?|training|workshops?|transit|court|surgery|theatre|class|classes|school|uni|university|college|interviews?|clinic|the clinic|hospital|church|mass|lectures?|labs?|offsite|off - site|conference|fair|summit|doctors?|dentists?|wedding|funeral|gym|airport|nursery|studio|a (?:client|customer) site|client site|appointments?|sessions?|seminars?|board meeting|trade show|exhibition|rehearsals?|hearings?|planning|sprint planning|exams?|reviews?|demos?|standups?)',
  ],
  [
    'u',
    '(?:out of|away from|not in)(?: the)? (?:office|town|country|action|building|desk|my desk|reach)|tied up|not (?:in|around|about|working|at work|here|online|at my desk|in the office|reachable)|off(?: work| sick| duty| site| grid)?|(?:solidly |fully |completely |totally |already |double |triple )?(?:booked|blocked|busy|packed|full(?! (?:week|day|hour|brain|team|attention|set|time|picture|of|hand))|rammed|jammed|slammed|swamped|stacked|maxed out|chocka|chock(?: - a -)? block|committed|engaged|occupied|spoken for|taken|crammed|jam - packed|heaving|mental|manic|double - booked|back to back|back - to - back)(?: up| out| solid)?',
  ],
  [
    'u',
    '(?:closed|teaching|offline|incommunicado|uncontactable|unreachable|gone (?:fishing|away|abroad|home|skiing|camping|walkabout)|(?:needs?|wants?) (?:me|us)|lecturing|operating|(?:i|we) (?:usually |always |normally )?(?:teach|lecture|coach|volunteer|study|commute|operate)|presenting|driving|commuting|away|out|travelling|travel|unavailable|vacation|vacationing|holidaying|flying(?: out| in| home| back)?|fly(?: out| off)?|ooo?|offsite|abroad|overseas|elsewhere|camping|moving house|volunteering|interviewing|performing|hosting|volunteer|onsite|shooting|filming|snowed under|swamped|flat out|underwater|up to my (?:eyes|eyeballs|ears|neck|eyebrows)|under the cosh|run off my feet|delivering|facilitating|working from \\w+)(?: (?:with|to|for) (?!an? |\\d|one|two|three|four|most|half)(?:the |my |our )?\\w+)?',
  ],
  ['l', '(?:head|set|run|go|shoot|dash)(?: off| out| home)?(?= (?:at|by) )'],
  [
    'g',
    '(?:is |are |am |be |would be )?(?:all yours|wide open|at (?:my|our) (?:best|sharpest|freshest)|dead|dead quiet|much |a lot |far |way |so much |really |pretty |totally |perfectly |more than |probably |likely |very ){0,4}(?:works?|working|sounds?|good|great|grand|fine|okay|better|best|possible|perfect|suits?|suitable|free|open|available|availability|ideal|preferable|preferred|doable|do - able|fits?|convenient|easier|easiest|an option|option|options|alright|all right|lovely|nice|wonderful|clear|clearer|calmer|quieter|quiet|lighter|happy|feasible|helpful|helps|helpful|manageable|spot on|brilliant|excellent|super|fab|fabulous|marvellous|splendid|smashing|amazing|awesome|fantastic|cool|dandy|golden|bliss|sorted|safe|safer|safest|kinder|nicer|simpler|freer|sharper|sharpest|fresher|freshest|flexible|workable|handy|optimal|empty|emptier|roomier|looser|looking good|productive|okay - ish|wide open|spare|a treat|a dream|a goer|quite good|a good (?:time|day|one|shout|bet|slot|option)|a better (?:time|day|one|option|slot)|(?:my|the|a) (?:best|better|ideal|preferred|favou?rite|sweet spot|quietest|easiest|sweetest) ?(?:time|day|days|slot|spot|bet|option|window)?|the one|all mine|me time|a possibility|possibilities|acceptable|agreeable|realistic|comfortable|practical|practicable|sensible|reasonable|favou?rable|viable|achievable|pleasant|bearable|tolerable|decent|peachy|superb|optimum|a winner|a go|a safe bet|a shout|advantageous|desirable|suited|welcome|happier|more suited|less busy|less hectic|roomier|appreciated|avail|help|helping|(?:my |our )?meeting (?:day|days|time|times)|dead(?= for me))(?: (?:well|better|best|fine|great|nicely|perfectly|for it|enough|out|too))*',
  ],
  [
    'b',
    `(?:is |are )?(?:so |very |too |really |pretty |rather |quite |a bit |kind of |absolutely |completely |totally |always |usually |just |a little |super |an? |bit |all ){0,5}(?:hard|harder|hardest|useless|tired|exhausted|tiring|exhausting|no good|no - good|no use|no go|no - go|no - goes|not great|bad|worse|worst|tough|difficult|tricky|trickier|rough|awful|terrible|horrible|horrendous|horrid|dreadful|ghastly|grim|impossible|hopeless|unworkable|crazy|mad|hectic|inconvenient|challenging|brutal|insane|tight|sacred|sacrosanct|reserved|ringfenced|ring - fenced|painful|problem|problematic|chaos|chaotic|murder|squeeze|scramble|mad rush|faff|bind|hell|hellish|a killer|killer|carnage|(?:\\w+ )?holiday|bank holiday|mess|nightmare|write off|write - off|washout|dud|disaster|struggle|stretch|pain|non starter|non - starter|not an option|off limits|off - limits|off the table|off the cards|a crunch|crunch time|clashes|clash|clashing|conflicts|conflict|conflicted|booked|dodgy|iffy|awkward|unsuitable|unavailable|busiest|busier|fraught|bonkers|bedlam|madness|blocked(?: out| off)?|crammed|poor|the worst|worse for me|killing me|kill me|drain me|drains me|deep work|heads down|heads - down|focus time|focus days?|quiet time|family time|no meeting (?:day|days|time)|no - meeting (?:day|days|time)|me time|for (?:deep work|focus|family|thinking|writing|school|study|studying|the kids|kids|the gym|research|coding|admin|heads down|myself|catching up|reading)|day off|days off|off|half day|non working(?: day| days)?|non - working(?: day| days)?|out of the question|out|bust|a bust|stressful|too much|unsociable|antisocial)(?: (?:for me|for us|these days))?`,
  ],
  ['a', '(?:make it|making it)(?: on| at| for)?'],
  [
    'a',
    '(?:keep|hold|leave|place|put|have) (?:it|this|that)(?= (?:to|between|on|at|in|for|before|after|around)(?! (?:short|brief|as|mind|place))(?: |$))',
  ],
  [
    'b',
    'will not (?:work|do|fly|suit)|does not (?:work|suit|fit)|do not (?:work|suit|fit)|not (?:free|available|possible|ideal|good|great|convenient|feasible|an option|doable|brilliant|the best|clever|easy|suitable|work(?:ing)?|fun|nice|perfect|happening|on|workable)|no longer (?:works?|suits?|possible|available|free|good)',
  ],
  [
    't',
    '(?:(?:the |my |our )?(?:deadline|due date|due|launch(?:es)?|release|go live|submission|cut off|cut - off|ships?|expires?|expiry)(?: (?:for|of|on|is|at|the|a|date|by)){0,4}|was|were|had|used to|did|met|launched|landed|started|finished|happened|missed|slept|worked|ran|overran|spent|came|went|got back|joined|booked it|sent|forgot|moved house|thought|kept|cancelled|broke|called|arrived|been|turned|held|saw)(?! (?:better|hoping))',
  ],
  ['a', `(?:meant|meaning|i mean|should be|supposed to be|should have been)(?: to be)?`],
  [
    'a',
    `(?:is there |there is )?(?:any |a |the |an )?(?:chance|possibility|way|scope|option|hope|room|appetite|joy|openings?|gaps?|availability|space)(?: (?:at all|of|that|to|for|on|we|i|you|it|could|can|might)){0,4}`,
  ],
  [
    'a',
    `(?:can|could|may|might|shall|should|would|will) (?:it|this|that|the meeting|the call) be (?:moved|shifted|changed|pushed|rescheduled|switched|postponed|brought|put|scheduled|set|arranged|booked|done|held)(?: (?:back|forward|up|out|over))?(?: (?:to|for|on|in|at|until)){0,2}|(?:can|could|may|might|shall|should|would|will|do|does|is|are|cld|must) ${WE}(?: (?:please|possibly|perhaps|maybe|just|all|both|also|not mind|still|either|at all|kindly|be able to|able to)){0,4}(?: (?:do|make|have|meet|be|see|try|say|go|go for|go with|look at|aim for|aim|find|get|book|schedule|set|fit|squeeze|catch up|talk|speak|chat|connect|arrange|plan|pencil|keep|use|consider|manage|run|happen|take place|be held|go ahead|take|pick|slot|come|settle|target|jump on|start|begin|offer|propose|suggest|organise|organize|put(?! (?:(?:it|this|that|us) )?(?:back|forwards?|off|out))|sort|regroup|convene|work|give|let)){0,4}(?: (?:it|${THIS}|that|something|me|us|things|anything|in|mine|this one|for|on|at|to|be|happen|start|with|meeting|call|together|please)){0,4}`,
  ],
  [
    'a',
    '(?:can|could|would|will|should|might|may)(?= (?:the |on |at |next |this |do |half |quarter |early |late |mid |any |a |an ){0,4}(?:mon|tue|wed|thu|fri|sat|sun|tomorrow|today|week|morning|afternoon|evening|noon|\\d|slightly|later|earlier|past|one|two|three|four|five|six|nine|ten|eleven))',
  ],
  [
    'a',
    `(?:lets|let us|please|kindly|pretty please|prefer(?:s|ably|red|ence|ring)?|(?:my |our |the )?preference (?:is|would be)(?: for)?|rather(?: (?:do|have|it|meet))?|love|favou?r|how about|how (?:is|does|do|are)|asked (?:for|if|whether)|asking for|what about|maybe|perhaps|possibly|try(?:ing)?|suggest(?:ing)?|propos(?:e|ing)|wish|aim(?:ing)? for|go(?:ing)? (?:for|with)|instead|hoping|hope|wondering|whether|ideally|ideal|make|meet|(?<=\\b(?:are|am|be|mind|about|consider|suggest|propose|prefer|try|keep|avoid) )meeting|meet up|schedule|book(?: me| it| us)?(?: in)?|set(?: it)?(?: up)?(?: for)?|fit(?: me| it| us)?(?: in)?|squeeze(?: me| it| us)?(?: into| in)?|permit(?: me| us)?(?: to attend)?|allow me to(?: attend)?|pencil(?: me| it| us)?(?: in)?|slot(?: me| it| us)? in|find|arrange|fix|organi[sz]e|offer|options?(?: (?:are|is|include))?|could do|can do|can make|could make|can manage|could manage|can offer|would consider|consider|would take|happy to (?:do|meet|take|have|go|chat|talk|make|start)|do|doing|say|let it be|any luck(?: with)?|fancy|shall|might|want|looking (?:for|at)|shoot(?:ing)? for|gun(?:ning)? for|target(?:ing)?|push(?:ing)? for|thinking(?: of| about)?|get together|catch up|chat|speak|talk|call me|ring me|meet me|use|using|put (?:me|it|this|us|them)?(?: down| in| there)?(?: for| on| in| at)?|place it|take)(?: (?:it|${THIS}|that|something|for|on|at|in|to|be|do|it is|if|we|could|can|the meeting|meet|have|us|moving(?: it)?)){0,4}`,
  ],
  [
    'k',
    '(?:just|only|solely|exclusively|strictly|purely)(?: (?:ever|really|free|available|do|work|on|in|at|time i can do|day i can do|got|have|works?)){0,4}|the only (?:time|day|slot|window|one|option|days|times)(?: (?:i|we|that|which|left|works?|available|possible|can|could|do|free|have|is|when|suits?))*',
  ],
  [
    'd',
    `${ADJ}{0,4}(?:dentists?|doctors?|orthodontist|gp|vets?|physio|therapy|therapist|counselling|consultations?|appointments?|gym|school run|nursery run|(?:school |nursery )?(?:pick ?ups?|pick - ups?|drop ?offs?|drop - offs?|drop)|flights?|trains?|planes?|buses|bus|ferry|standups?|stand - ups?|interviews?|inductions?|training|lessons?|class|classes|lectures?|seminars?|exams?|assessments?|weddings?|funeral|conferences?|off ?sites?|off - sites?|workshops?|prayers?|church|mass|mosque|synagogue|yoga|pilates|football|rehearsals?|clinics?|court|hearings?|jury (?:duty|service)|inspections?|site visits?|all hands|all - hands|town hall|demos?|presentations?|webinars?|audits?|nursery|haircuts?|scans?|surgery|operation|deliver(?:y|ies)|viewings?|retro|kick ?offs?|kick - offs?|one to ones?|appraisals?|summit|summits|exhibition|concerts?|marathon|lunch date|breakfast|brunch|christening|engineer|plumber|electrician|builders?|boiler|childcare|babysitting|bedtime|bath time|dog walk|meditation|recital|sports day|parents evening|parents is evening|lunch|lunch break|lunch hour|lunch date|lunch meeting|open day|house move|deep work|focus (?:time|block|work)|heads down|school|birthday|party|dinner)(?: (?:appointments?|run|session|call|meeting|check - up|check up|test|practice|training|class|visit|match|game|review|day|days|time|slot|clash)){0,4}(?: with (?!me |us |you |it )(?:the |my |our |a )?[a-z]+(?: team)?)?(?= |$)`,
  ],
  [
    'd',
    `${ADJ}{1,4}(?:tests?|party|parties|visits?|board|pitch|pitches|shifts?|school|sync|syncs|review|reviews|planning|calls?|meetings?|one to ones?|1 : 1s?|matches|match|practice|game|races?|dinner|birthday|walk|run|commute|nap|move|site|clients?)(?: (?:appointments?|run|session|call|meeting|check - up|check up|test|practice|training|class|visit|match|game|review|day|days|time|slot|clash)){0,4}(?: with (?!me |us |you |it )(?:the |my |our |a )?[a-z]+(?: team)?)?(?= |$)`,
  ],
  [
    'f',
    `(?:"|apart from (?:that|this)|at (?:the )?(?:very )?least|at a minimum|(?:over|on|via|by) (?:zoom|teams|the phone|phone|video|skype|email)|in person|face to face|any ?time|some ?time|somewhere(?= (?:between|from|around|in|on|towards|before|after|about|near))|discuss|little bit|week(?! )|catch up|thank you|best regards|kind regards|many thanks|ever so|so sorry|to be honest|only thing|today is|it is|over here|my end|our end|my time|our time|your time|local time|for me|for us|for you|for everyone|for both of us|to me|to us|with me|with us|with you|on my (?:end|side|part)|(?:my|our) (?:end|side)|at all|in general|as well|as such|if anything|doing this|doing it|having it|everything else|kind of|sort of|from now on|going forwards?|in (?:the )?future|these days|at present|long as|all day|the whole day|all of|rest of the day|do the|up to you|up to)`,
  ],
  [
    'j',
    '(?:(?:straight|right|just|immediately|directly|any ?time) )?(?:after|before|past) (?:that|then|this|it)(?: one)?|afterwards|beforehand|(?:straight|right|immediately|directly) after(?= [?.!,;]|$)',
  ],
  ['&', 'and|&|\\+|plus|as well as|(?<!\\b(?:is|are|am|be|was|will|would|can|could|should|might|has|have|had) )also'],
  ['o', 'or|/|or else|nor|alternatively|otherwise|failing that|if not|or failing that|else|then'],
  [',', ','],
  ['-', '—|-'],
  ['|', '[.;!?()]|:|but|though|although|however|whereas|so|yet|therefore|hence'],
  [
    'v',
    'is|are|be|am|would|will|does|do|could|can|might|should|look(?:s|ing|ed)?(?: like)?|feels?(?: like)?|seems?|becomes?|being|shall|may|gets?|been|cld',
  ],
  [
    'j',
    '(?:because|as|for|to|with|while|when|whenever|where|who|which|since|unless|until|before|after|from|by|around|if|once|given|due|per|via|without|during|towards?|under|in order|like)',
  ],
  [
    'f',
    `(?:the|a|an|about|this|these|that|those|it|its|we|i|you|me|us|my|mine|our|ours|your|yours|they|them|their|he|she|his|her|everyone|everybody|anyone|all|both|either|each|whole|entire|on|in|at|of|anything|something|some|any|whenever|whichever|whatever|wherever|just|really|very|also|then|too|still|more|most|much|lot|bit|little|day|days|date|dates|periods?|time|times|slot|slots|window|windows|meeting|meetings|call|calls|session|sessions|chat|hour|hours|one|ones|here|well|again|actually|probably|always|usually|normally|generally|typically|quite|pretty|now|there|yes|yeah|yep|nope|nah|hi|hiya|hello|hey|dear|team|folks|guys|sorry|apologies|apology|afraid|unfortunately|say|even|such|right|cheers|thanks|regards|xx?|tbh|mate|pal|honestly|imo|fyi|btw|ok|okay|oh|ah|um|er|erm|hmm|anyway|personally|frankly|ideally|myself|ourselves|yet|side|end|part|maybe|great|super|big|real|major|total|absolute|utter|complete|happening|though|sharp|exactly|ish|roughly|approx(?:imately)?|nowadays|lately|currently|anyways|another|other|different|alternative|new|calendar|diary|schedule|outlook|hopefully|ever|client|clients|customer|boss|manager|wife|husband|partner|kids|son|daughter|kid|mum|dad|mom|colleague|people|person|xo|ps|inclusive|daily|every|tho|soz|pls|reflection|quick(?= (?:one|call|chat|word|catch))|(?!(?:only|early|weekly|monthly|yearly|hourly|daily|family|supply|reply|apply|italy|july|rely|fly|rally|assembly|jelly|belly|bully|ally|ugly|silly|lonely|friendly|unlikely|likely|barely|hardly|rarely|scarcely|solely|exclusively|strictly|purely|kindly|preferably|possibly|ideally|mostly)(?: |$))[a-z]{3,}ly|anymore|any longer|itself|term|nicely)`,
  ],
  // "My daughter passed her test on Friday" tells what happened.
  [
    't',
    '(?<=\\b(?:i|we|he|she|they|(?:my|our|his|her|their) [a-z]+) )(?!booked|scheduled|arranged|organi[sz]ed|planned|moved|called|asked|agreed|invited|added|confirmed|rescheduled|blocked|reserved|offered|need|proposed|suggested|wanted|preferred|hoped|wondered|liked|promised|missed|injured|landed|changed|shifted)[a-z]{3,}ed',
  ],
];
