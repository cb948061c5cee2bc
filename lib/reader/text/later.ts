import { AMOUNT, amountOf, type Mention, type Reader, words } from './mentions.ts';

/**
 * The patterns, with their readers, that find comparisons with the meeting's old time, such as "an hour later",
 * "sooner" and "same time", and amounts of hours or minutes.
 */
export const LATER_READERS: Reader[] = [
  {
    pattern: words(
      '(?:the )?(?:same|usual) (?:time|hour|slot)(?: of day)?|(?:the |its )?(?:time|hour|slot|hour of day)(?: (?:is|can|may|should|could|to))? (?:stays?|remains?|unchanged|staying|remaining|untouched)(?: (?:put|fixed|where it is|the same|unchanged|as (?:it )?is|as it was))?',
    ),
    read: () => ({ mention: { kind: 'same_time' } }),
  },
  {
    pattern: words(
      `(${AMOUNT})(?: an)? (hours?|minutes) (before|after)(?:hand|wards)?(?= (?:[.?!,;]|please|instead|would|works?|is)|$)`,
    ),
    read: ([, amount = '', unit = '', side]) =>
      relative(side === 'after' ? 'later' : 'earlier', amountOf(amount) * (unit === 'minutes' ? 1 : 60)),
  },
  {
    pattern: words(`(?:by )?(${AMOUNT})(?: or (?:so|two))? (hours?|minutes)(?: or so)? (later|earlier|sooner)`),
    read: ([, amount = '', unit = '', to]) => relative(to, amountOf(amount) * (unit === 'minutes' ? 1 : 60)),
  },
  {
    pattern: words(`(?:by |back )?(${AMOUNT})(?: an| more| extra)? (hours?|minutes)(?! from)`),
    read: ([, amount = '', unit = '']) => ({
      mention: { kind: 'amount', days: 0, minutes: amountOf(amount) * (unit === 'minutes' ? 1 : 60) },
    }),
  },
  {
    pattern: words(
      '(?:(?:just )?(?:a )?(?:little|bit|tiny bit|touch|slightly|tad)(?: bit)?|slightly) (later|earlier)(?: time| slot| start)?',
    ),
    read: ([, to]) => ({ mention: { ...relative(to, 60).mention, isLoose: true } }),
  },
  {
    pattern: words(
      '(?!(?:the |(?<=the ))(?:earlier|later) (?:meeting|call|session|appointment)(?: |$))(?:much |any |some ?what |even |the |an? )?(later|earlier)(?: (?:time|slot|start|hour)s?)?(?: (?:on )?in the (?:day|morning|afternoon|evening))?(?! date)',
    ),
    read: ([, to]) => relative(to),
  },
  {
    pattern: words(
      '(?:(?:the|your|any) )?(?:very )?(?:(?:earliest|first|soonest|next) (?:(?:free|open|available|possible)(?: (?:slot|gap|opening|time|one|moment))?|slot|gap|opening)|(?:earliest|first) time(?= (?:on|in) (?:the )?(?:mon|tue|wed|thu|fri|\\d)))(?: (?:you have(?: got)?|going|there is))?(?! (?:is|of|was))|(?:the )?(?:soonest|earliest) (?:you have(?: got)?|there is|going|you can(?: do)?)',
    ),
    read: () => ({ mention: { kind: 'soonest' } }),
  },
  {
    pattern: words(
      '(?:the sooner the better|(?:the )?soonest(?: (?:you have(?: got)?|you can(?: do)?|there is|going|free|available))?|as (?:soon|early) as (?:(?:humanly |is )?possible|you can|we can|it suits)|asap|right away|(?:at )?(?:the |your |our )?(?:earliest|soonest) (?:possible|convenience|opportunity)(?: (?:time|slot|date|appointment|meeting|call))?)',
    ),
    read: () => ({ mention: { kind: 'soonest' } }),
  },
  { pattern: words('(?:any )?sooner'), read: () => ({ mention: { kind: 'sooner' } }) },
];

function relative(to: string | undefined, minutes?: number): { mention: Mention & { kind: 'relative' } } {
  return { mention: { kind: 'relative', to: to === 'later' ? 'later' : 'earlier', ...(minutes && { minutes }) } };
}
