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
