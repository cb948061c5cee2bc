import { boundOf, HOUR, hourOf, minuteOf, NO_UNIT } from './hours.ts';
import { NUMBER_NAMES, point, type Reader, words } from './mentions.ts';

const MINUTES: Record<string, number> = {
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty five': 45,
  fifty: 50,
};

/** The patterns, with their readers, that find hours without a unit, where only an hour can stand: "at 3", "4 works". */
export const BARE_HOUR_READERS: Reader[] = [
  {
    pattern: words(
      `((?<=(?:it|this|that|call|meeting|push|move) )to|at|after|before|until|by|from|past|around|about|like|starting at) ${HOUR}(?: (?:sharp|ish))?${NO_UNIT}`,
    ),
    read: ([, bound, hour], calendar) =>
      Number(hourOf(hour)) > 23 ? undefined : point(minuteOf(calendar, hourOf(hour)), boundOf(bound)),
  },
  {
    pattern: words(
      `(?:at )?${HOUR}(?= (?:my|our|local|uk|london|new york|berlin|paris|dubai|indian?|irish|german)(?: local)? time| (?:gmt|est|edt|cet|ist|pst|eastern|pacific)(?: |$))`,
    ),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    // "Thursday then, 11?"
    pattern: words(
      '(?<=(?:day|tomorrow|mon|tues?|weds?|thurs?|fri|today)(?: [a-z]+){0,2} [,;(—-] )(\\d{1,2})(?= (?:[?)]|please)|$)',
    ),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    // "Friday evening 5".
    pattern: words(
      `(?<=(?:day|tomorrow|today|mon|tues?|weds?|thurs?|fri) (?:morning|afternoon|evening|night) )${HOUR}${NO_UNIT}(?= (?:[?.!,;:)—]|please|instead|or|works?|would|is|if)|$)`,
    ),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    // "2 ideally", and the hour after "than".
    pattern: words(
      `(?:(?<=^|[.;!?,—] )${HOUR}${NO_UNIT}(?= (?:ideally|preferably|for preference|if possible)(?: |$))|(?<=\\bthan )${HOUR}${NO_UNIT}(?= (?:[?.!,;:)—]|if|because|on|please)|$))`,
    ),
    read: ([, hour, other], calendar) => point(minuteOf(calendar, hourOf(hour ?? other))),
  },
  {
    pattern: words(`${HOUR} (?:sharp|on the dot|prompt|oclock sharp)`),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    pattern: words(`(?:at |around )?(\\d{1,2})(?: -)? ish`),
    read: ([, hour], calendar) => point(minuteOf(calendar, Number(hour)), 'around'),
  },
  {
    pattern: words(
      `(?<!(?:^| )day )(?<=(?:mon|tues?|weds?|thu(?:rs?)?|fri|day|tomorrow|today) )${HOUR}${NO_UNIT}(?= (?:[?.!,;:)—]|please|instead|or|and|/|works?|would|is|all|both|good|fine|okay|possible|any good|suits?|free|doable|do|with)|$)`,
    ),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    pattern: words(
      `(?<=(?:mon|tues?|weds?|thu(?:rs?)?|fri|day|tomorrow|today) )${HOUR}(?= / (?:mon|tue|wed|thu|fri|tomorrow|today))`,
    ),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    // A bare hour after words that only an hour can follow.
    pattern: words(
      `(?<=(?:^|[;,.] |but |and |only )?(?:but|not|no|except|finish|finishes|start|starts|end|ends|leave|meant|mean|until|say|do|make it|time to|(?<!day |week |hour )or) )${HOUR}${NO_UNIT}(?= (?:[?.!,;:)—]|because|please|instead|as|since|on|for)|$)`,
    ),
    read: ([, hour], calendar) =>
      /^(?:one|do)$/.test(hour ?? '') ? undefined : point(minuteOf(calendar, hourOf(hour))),
  },
  {
    pattern: words(
      `(?<=\\b(?:mov(?:ed?|ing)|chang(?:ed?|ing)|update|reschedul(?:ed?|ing)|shift(?:ed|ing)?|push(?:ing)?|postpon(?:e|ing)|switch(?:ing)?|bump(?:ing)?|bring(?:ing)?|pull(?:ing)?|prepone|delay(?:ing)?|slide|nudge)\\b[^.?!;]{0,60} to |(?:do|start|have|make|begin|set|schedule) (?:it |this |that )?(?:at|for) )${HOUR}${NO_UNIT}(?= (?:[?.!,;]|please|instead|on|would|works?|if|so|because|mon|tue|wed|thu|fri|tomorrow|today|that day)[a-z]*|$)`,
    ),
    read: ([, hour], calendar) => (hour === 'one' ? undefined : point(minuteOf(calendar, hourOf(hour)))),
  },
  {
    pattern: words(
      `(?<=(?:would|could|can|is|does|will|might|say|maybe|perhaps|or) )${HOUR}${NO_UNIT}(?= (?:be|work|suit|do|okay|fine|possible|better|good|also)(?! of))`,
    ),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    pattern: words(
      `${HOUR}${NO_UNIT}(?= (?:clashes|collides|conflicts|overlaps|does not (?:work|suit)|will not (?:work|do)|is (?:taken|gone|impossible|no good|rough|tough|hard|a stretch|a push|difficult|tricky)))`,
    ),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    pattern: words(
      `(?:at |around |about )?(${NUMBER_NAMES.join('|')}) (fifteen|thirty|forty five|twenty|ten|forty|fifty)(?: ?(am|pm))?(?! (?:minutes|people|of))`,
    ),
    read: ([, hour, minute = '', half], calendar) => point(minuteOf(calendar, hourOf(hour), MINUTES[minute], half)),
  },
  {
    pattern: words(`(?:at |around |about )?(${NUMBER_NAMES.join('|')}) oclock(?: in the (morning|afternoon|evening))?`),
    read: ([, hour, half], calendar) => point(minuteOf(calendar, hourOf(hour), 0, half)),
  },
];
