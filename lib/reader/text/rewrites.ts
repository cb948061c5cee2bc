const UNIT: Record<string, string> = { m: 'minutes', h: 'hours' };
const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const TENS: Record<string, number> = {
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
};

const NAMED = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

const nameOf = (month = '') => MONTHS[Number(month)];

/** Writes a date with dots, whose day always comes first, as an ISO date. */
function dated(text: string, day = '', month = '', year = ''): string {
  if (!nameOf(month) || Number(day) > 31) return text;
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The steps that rewrite the text before it is split into words, in order. */
export const REWRITES: [pattern: RegExp, to: string | ((match: string[]) => string)][] = [
  [/\p{Cf}/gu, ''],
  [/[\u{1F44E}\u274C\u{1F6AB}\u26D4]\uFE0F?/gu, ' no , '],
  [/[\u{1F44D}\u2705]\uFE0F?/gu, ' yes '],
  [/(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)(?<!\d)/gu, ' , '],
  [
    /(?<![\d.:/])(\d{1,2})\.? ?(-|to|and|or) ?(\d{1,2})\.(\d{1,2})\.(?:20\d\d|\d\d)?(?=\s|$)/g,
    ([text = '', first, to, last, month]) => (nameOf(month) ? `${first} ${to} ${last} ${nameOf(month)}` : text),
  ],
  [/\b(\d{1,2})[.](\d{1,2})[.](20\d\d|\d\d)\b/g, ([text = '', day, month, year = '']) => dated(text, day, month, year)],
  [/\b(\d{1,2})-(\d{1,2})-(20\d\d)\b/g, ([, a = '', b = '', year = '']) => `${a}/${b}/${year}`],
  [
    /(?<!(?:at|around|until|till|before|after|by|from|to) )\b(\d{1,2})\.(\d{1,2})\.(?=\s+\S)/g,
    ([text = '', day, month]) => (nameOf(month) && Number(day) <= 31 ? `${day} ${nameOf(month)}` : text),
  ],
  [
    /(?<=\b(?:mon|tue|wed|thu|fri)[a-z]{0,6},? )(\d{1,2})\.(\d)(?![\d.])(?=\s|$)/g,
    ([text = '', day, month]) => (nameOf(month) ? `${day} ${nameOf(month)}` : text),
  ],
  [/\b(\d{1,2})\. ?(?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/g, ([, day = '']) => `${day} `],
  [
    /\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|fri)\. ?(?=\d)/g,
    ([, name = '']) => `${name} `,
  ],
  [/[‘’ʼ`´′]/g, "'"],
  [/(?<=\d(?:st|nd|rd|th| ?am| ?pm)?)(?: ?[–—―] ?| - )(?=\d)/g, '-'],
  [/\s[-–—―]+\s|[–—―]/g, ' — '],
  [/[‐‑‒−]/g, '-'],
  // "Between 11 and 1 or 3 and 5" names two spans.
  [
    /\bbetween (\d{1,2}(?:[:.]\d\d)?) and (\d{1,2}(?:[:.]\d\d)?) or (?=\d{1,2}(?:[:.]\d\d)? and \d)/g,
    ([, from = '', to = '']) => `between ${from} and ${to} or between `,
  ],
  [
    /(^|[.,;!?] )(\d{1,2})(?= (?:is|works|would be|suits|sounds) (?:fine|good|ok|okay|great|perfect|better|best|ideal|for me|me)\b)/g,
    ([, before = '', hour = '']) => `${before}at ${hour}`,
  ],
  [
    /\b(instead of|rather than|in place of) (\d{1,2}(?:[:.]\d\d)?)(?=$|[.,?!;)]| (?:please|pls|can|could|would|if|thanks|because|as|how|what|maybe)\b)/g,
    ([, word = '', hour = '']) => `${word} at ${hour}`,
  ],
  [/\bcatch-(?=ups?\b)/g, 'catch '],
  [/\n/g, ' ; '],
  [/\b(dr|mr|mrs|ms|prof)\./g, ([, title = '']) => `${title} `],
  [
    /\b(tomorrow|today|yesterday|(?:mon|tues|wednes|thurs|fri)day)s(?= (?:call|meeting|session|chat|slot|sync|lunch|one|review|catch)\b)/g,
    ([, day = '']) => `${day}'s`,
  ],
  [/ ?@ ?(?=\d|noon|mid)/g, ' at '],
  [
    /(?<![\d/:.+-])\b(0[6-9]|1[0-8])([0-5]\d)(?= (?:on|sharp|works?|would|please|instead|if|or|tomorrow|today|same|that|mon|tue|wed|thu|fri)|[?!,]|\.?$)/g,
    ([, hour = '', minute = '']) => `${hour}:${minute}`,
  ],
  [
    /(?<=[^\s,.;!?]) (?=(?:tbh|imo|ngl|mate|pal|buddy|m8|bro|dude|folks|guys|lol|haha|cheers|thanks|thx|ta|honestly|sorry|soz|sir|madam)(?: [a-z\d]{1,10}){0,2}[\s.!]*$)/g,
    ' , ',
  ],
  [/ ?(?:-{1,3}|={1,3})> ?/g, ' → '],
  [
    /(?<=\b(?:leave|holidays?|vacation|sabbatical|jury service|secondment) (?:begins?|starts?) )(?:on )?(?=(?:mon|tue|wed|thu|fri|tomorrow|today|the \d|\d))/g,
    'from ',
  ],
  [
    /(?<=\b(?:flight|train|bus|ferry|plane|coach|eurostar) )(?:in |back )?(?:from|to) (?!(?:mon|tue|wed|thu|fri|the)\b)\p{L}+(?= (?:gets?|lands?|arrives?|leaves?|departs?|goes|at|is at))/gu,
    '',
  ],
  // "If we moved it back" and "any chance of bringing it forward" ask as "move it back" does. "They moved it back" tells.
  [
    /(?<=\b(?:if (?:we|i|you|it|this)(?: could| can)?|(?:chance|possibility|way|option|hope) of|mind|how about|what about) )(mov|push|bring|pull|shift|bump|slid|nudg)(?:ed|ing)(?= (?:it |this |that |us |things |(?:the|our) \p{L}+ )?(?:back|out|forwards?|up|on|along|earlier|later|by)\b)/gu,
    ([, verb = '']) => (/^(?:mov|slid|nudg)$/.test(verb) ? `${verb}e` : verb),
  ],
  [
    /\b(can|could|may|might|should|would) (?:it|this|that|(?:the|our) \p{L}+) (?:please )?be (mov|push|pull|shift|bump)ed(?= (?:back|out|forwards?|up|on|along)\b)/gu,
    ([, modal = '', verb = '']) => `${modal} we ${verb}${verb === 'mov' ? 'e' : ''} it`,
  ],
  [
    /\bget (?:it|this|that) (?:done|over with|out of the way)(?= (?:before|by|after|on|at|this|next|mon|tue|wed|thu|fri))/g,
    'do it',
  ],
  [
    /\b(before|by the time) (?:my |the |our )?\p{L}+ (?:starts?|begins?|opens?|kicks off) (?:at )?(?=\d|half|quarter|noon|ten|eleven|nine|eight)/gu,
    'before ',
  ],
  [/\b4 (?=(?:me|u|us)\b)/g, 'for '],
  [/(?<=\d)'s\b/g, ' is'],
  [/(?<=\d)([ap])\b/g, ([, half = '']) => `${half}m`],
  [/ k(?=[?!.]*$)/g, ' okay'],
  [/\b(?:stick (?:with|to)|stay (?:with|on)|keep(?: it)?(?: to| on)?) (?=(?:the )?same (?:week)?day\b)/g, ''],
  [new RegExp(`\\b(${NAMED.join('|')})[ -]?ish\\b`, 'g'), ([, hour = '']) => `${NAMED.indexOf(hour) + 1} ish`],
  [/\b(noon|midday)-?ish\b/g, 'around noon'],
  [/(?<=\b(?:tomorrow|today|tmrw|tmr|mon|tues?|weds?|thurs?|fri|day|this|that) )eve\b/g, 'evening'],
  [
    /(?<=\b(?:let's|lets|to|can we|could we|shall we|we can|we could|we) )(?:sync(?: up)?|touch base|link up|(?:hop|jump) on (?:a )?call|regroup|huddle|get on a call)\b/g,
    'meet',
  ],
  [
    /\b([1-4])(?:st|nd|rd|th) week(?= (?:of|in)\b)/g,
    ([, which = '']) => `${['', 'first', 'second', 'third', 'fourth'][Number(which)]} week`,
  ],
  [
    /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) ?(am|pm)\b/g,
    ([, hour = '', half = '']) => `${NAMED.indexOf(hour) + 1}${half}`,
  ],
  [/ = /g, ' is '],
  [/\b(?:one-to-one|1-2-1|121)(s?)\b/g, ([, many = '']) => `one to one${many}`],
  [/\bwhere(?:ver)? (?:at all )?possible\b|\bwhen(?:ever)? possible\b/g, 'if possible'],
  // "Evenings are out, so is anything before 9."
  [/,? (?:and )?so (?:is|are) (?=any|every|mornings?|afternoons?|evenings?|before|after|lunch)/g, ' and '],
  [/\bre-?sched(?:u)?\b/g, 'reschedule'],
  [
    /(?<![\d:./])\b(\d{1,2}(?:[:.]\d\d)?) (?:instead of|rather than|not) (?:at )?(\d{1,2}(?:[:.]\d\d)?)(?=[.,?!;)]|$| (?:please|pls|on|if|thanks|because|as|tomorrow|today|mon|tue|wed|thu|fri))/g,
    ([, one = '', other = '']) => `at ${one} instead of at ${other}`,
  ],
  [/(?<=\p{L}s)'(?=\s)/gu, ''],
  // "Thursday is no good but Friday is."
  [
    /(?<=\b(?:no good|not good|bad|out|no use|not (?:free|available|possible)|booked|full|rough|tricky|impossible|hopeless|busy),? but )((?:mon|tue|wed|thu|fri)[a-z]*(?: morning| afternoon)?|\d{1,2}(?: ?[ap]m)?) is(?=[.,;!?]|$)/g,
    ([, time = '']) => `${time} is fine`,
  ],
  [
    /\brather (?:it|this|that) (?:was|were|be|is)(n't|nt| not)? /g,
    ([, not]) => (not === undefined ? 'rather ' : 'rather not '),
  ],
  [/\brather (?:we|you) (?:did|met|spoke|had|made|moved|talked)(?: it| this)? /g, 'rather '],
  [/\bin stead of\b/g, 'instead of'],
  [/\bpost (?=\d|lunch|noon)/g, 'after '],
  [/\b(i|we)(?:'d| would) sooner(?! (?:or|than))\b/g, ([, who = '']) => `${who} would rather`],
  [/\b(?:early doors|(?:at )?(?:the )?crack of dawn|bright and early)\b/g, 'first thing'],
  [/\bmid(?:dle)? (?:to|or|\/) (?=late\b)|\b(?<=early )to mid\b/g, ''],
  [/\ba\/?l (?=(?:on |from |until |this |next )?(?:mon|tue|wed|thu|fri|today|tomorrow))/g, 'annual leave '],
  [/\bhr (?=(?:has|have|asked|wants?|want|made|says?|say|needs?|is|told|said|team|are|just)\b)/g, 'they '],
  [/\bwrap (?=by|before|at)/g, 'finish '],
  // Verbs for putting a meeting somewhere, and for moving it, that people use besides "put" and "move".
  [/\b(?:pop|stick|bung|chuck|whack|throw|plonk|pencil|slot)(?= (?:it|this|that|me|us) (?:in|down)\b)/g, 'put'],
  [/\b(?:roll|carry|kick|chuck|bounce) (it|this|that|us) (?:over|on) (?=to\b)/g, ([, what = '']) => `move ${what} `],
  [
    /\bleave (it|this|that)(?: for)? (?=(?:an?|one|two|three|another) (?:day|week|fortnight|hour|month|couple|few)s?\b)/g,
    ([, what = '']) => `postpone ${what} `,
  ],
  [/\b(?:park|shelve)(?= (?:it|this|that|things)\b)/g, 'postpone'],
  [/\b(?:come|go) forwards?(?! to\b)/g, 'move forward'],
  [/\bput (it|this|that|us|(?:the|our) \p{L}+) forwards?\b/gu, ([, what = '']) => `bring ${what} forward`],
  [/\b(?:come|go|slip|slide|be put) back(?= (?:by )?(?:an?|one|half|two|three|\d+|a couple|a few)\b)/g, 'push back'],
  // "Heaps better" and "far handier" say no more than "better" does.
  [
    /\b(?:heaps|loads|tons|tonnes|miles|infinitely|considerably|significantly|vastly|marginally|even|a (?:fair|good) (?:bit|deal)|a (?:whole|hell of a) lot|a damn sight|far|way) (?=(?:more (?:convenient|suitable|comfortable|relaxed|doable)|better|easier|handier|nicer|simpler|kinder|safer|quieter|calmer|clearer|freer|smoother|happier|preferable)\b)/g,
    'much ',
  ],
  [
    /(?<=\b(?:at|by|after|before|from|until|till|around|about) )(\d{1,2}(?:[:.]\d\d)?) in the (morning|afternoon|evening)\b/g,
    ([, clock = '', part]) => `${clock}${part === 'morning' ? 'am' : 'pm'}`,
  ],
  [
    /(?<![\d:./-])(\d{1,2})(?:st|nd|rd|th)? (or|and) (\d{1,2})(?:st|nd|rd|th)? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?=[a-z]*\b)/g,
    ([, one = '', word = '', two = '', month = '']) => `${one} ${month} ${word} ${two} ${month}`,
  ],
  [/(?<=[,;.] ?)(?:which|this|that) means(?: that)?(?= (?:i|we|my|our|it|the)\b)/g, 'so'],
  [/\bfwd\b/g, 'forward'],
  [/\bgr8\b/g, 'great'],
  [/\bl8r\b/g, 'later'],
  [/\b1[:-]1s?\b(?! ?(?:am|pm))/g, 'one to one'],
  [/\bw\/c\b/g, 'week commencing'],
  [/\bw\/e\b/g, 'weekend'],
  [
    /\b([ap])\. ?m\b(?:\.(?! (?:i|we|my|our|it|he|she|they|so|thanks|best|regards)\b))?/g,
    ([, half = '']) => `${half}m`,
  ],
  [
    /(?<!\S)([+-]) ?(\d{1,2}) ?(day|week)s?\b/g,
    ([, sign, amount = '', unit = '']) => `${amount} ${unit}s ${sign === '+' ? 'later' : 'earlier'}`,
  ],
  [
    /(?<!\S)- ?(\d{1,3}) ?(m|h)(?:in|ou)?r?s?(?![a-z])/g,
    ([, amount = '', unit = '']) => `${amount} ${UNIT[unit]} earlier`,
  ],
  [/\b(\d) ?h(?= (?:earlier|later|sooner|back|forward|ahead|delay)\b)/g, ([, amount = '']) => `${amount} hours`],
  [
    /\b((?:push|bump|shift|move|delay|postpone|slide|nudge)(?: (?:it|this|that|us|back|out|forward))*(?: by)?) (10|15|20|30|40|45)(?=[.!?,]|$| please| pls)/g,
    ([, verb = '', amount = '']) => `${verb} ${amount} minutes`,
  ],
  [
    /\b(\d) ?(?:-|to|or) ?\d (hours?|hrs?)(?= (?:later|earlier|sooner|after))/g,
    ([, amount = '', unit = '']) => `${amount} ${unit}`,
  ],
  [/\b(an hour|a day|a week) or (?:two|so)(?= (?:later|earlier|sooner|after|back))/g, ([, amount = '']) => amount],
  [/(?<!\S)\+ ?(\d{1,3}) ?(m|h)(?:in|ou)?[a-z]*/g, ([, amount = '', unit = '']) => `${amount} ${UNIT[unit]} later`],
  [
    /(?<![\d/.:-])([01]\d)([0-5]\d) ?(?:-|–|to) ?([01]\d|2[0-3])([0-5]\d)(?!\d|[/.:-]\d)/g,
    ([, hour, minute, lastHour, lastMinute]) => `${hour}:${minute}-${lastHour}:${lastMinute}`,
  ],
  [/\b([01]\d|2[0-3])([0-5]\d) ?h(?:ou)?rs\b/g, ([, hour = '', minute = '']) => `${hour}:${minute}`],
  [
    /\b(at|around|from|until|till|after|before|by) ([01]\d|2[0-3])([0-5]\d)\b(?<!\b20[2-9]\d)/g,
    ([, bound = '', hour = '', minute = '']) => `${bound} ${hour}:${minute}`,
  ],
  [
    /\b(twenty|thirty|forty|fifty)[- ]five\b(?= ?(?:min|past|to\b))/g,
    ([text = '', tens = '']) =>
      TENS[tens] === undefined
        ? text
        : text.endsWith('x')
          ? text
          : tens === 'twenty'
            ? 'twenty five'
            : `${TENS[tens] + 5}`,
  ],
  [/\b(fifteen|thirty|forty|fifty|sixty|ninety)(?= ?-?min)/g, ([text = '', tens = '']) => `${TENS[tens] ?? text}`],
  [/\btwenty(?: five)?(?= ?-?min)/g, ([text = '']) => (text.endsWith('five') ? '25' : '20')],
  [
    /\b(?:an? |one )?(half an hour|an hour|\d{1,2} min(?:ute)?s?|day|week|fortnight|month|hour)'?s? (?:delay|postponement|grace)\b/g,
    ([, amount = '']) => `${/^(?:half|an|\d)/.test(amount) ? '' : 'a '}${amount} later`,
  ],
  [/\b(?:an hour and a half|(?:one|1) and a half hours?|1[.,]5 ?h(?:ou)?rs?)\b/g, '90 minutes'],
  [
    /\b(\d) ?h(?:ou)?rs? ?(\d\d)(?: ?m(?:in(?:ute)?s?)?)?\b/g,
    ([, hours, minutes]) => `${Number(hours) * 60 + Number(minutes)} minutes`,
  ],
  [/\b(post|pre)[- ](?=lunch)/g, ([, which]) => (which === 'post' ? 'after ' : 'before ')],
  [/(\p{L})\1{2,}/gu, ([, letter = '']) => letter + letter],
];
