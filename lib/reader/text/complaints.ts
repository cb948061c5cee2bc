import { days, type Found, type Mention, type Reader, words } from './mentions.ts';

const VERY =
  '(?:way|far|just|a bit|a little|a tad|bit|quite|really|much|so|very|super|pretty|rather|that|this|awfully|terribly|too|to|kind of|already)';
const complaint = (of: 'early' | 'late', degree: 'too' | 'mild' | 'bare'): Found => ({
  mention: { kind: 'complaint', of, degree },
});
const kind = (name: 'more_time' | 'other_day'): Found => ({ mention: { kind: name } satisfies Mention });

/**
 * The patterns, with their readers, that find complaints that a meeting is too early or too late, and requests for more
 * time.
 */
export const COMPLAINT_READERS: Reader[] = [
  {
    pattern: words(
      `((?:${VERY} ){1,3})(early|late)(?! (?:is|are|would be|works?|suits?)(?: |$))(?! (?:to (?!start|meet|talk|have)|notice|reply|response|next|this|last|in the (?:week|month)|morning|afternoon|evening))(?: (?:in the day|at night|in the (?:morning|evening|afternoon)|for (?:me|us|my \\w+|our \\w+|him|her|them)))?`,
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
  {
    pattern: words(`(?:${VERY} ){0,3}(early|late) in the week(?: for (?:me|us))?`),
    read: ([, of], { today, oldDay }) => {
      const monday = oldDay - ((oldDay + 3) % 7);
      if (of === 'early') return days(Math.min(oldDay + 1, monday + 6), monday + 4);
      return oldDay > Math.max(today, monday) ? days(Math.max(today, monday), oldDay - 1) : undefined;
    },
  },
  { pattern: words('(?:too|so|a bit|a little|very) soon(?! as)'), read: () => kind('more_time') },
  {
    pattern: words(
      '(?:(?:a )?(?:bit|little) |some |much |any )?more time(?! (?:between|slots?))|(?<!\\b(?:it|this|that|which) (?:is|was) (?:still )?)not (?:yet |quite |fully |all )?(?:ready|finished|done|prepared|complete)|(?:time )?to prepare(?: more| for)?|prepare more',
    ),
    read: () => kind('more_time'),
  },
  {
    pattern: words(
      'another (?:day|date)|(?:a |some )?(?:different|other) (?:day|date)|(?:on )?(?:a|any) (?:day|date) (?:that is not|other than) (?:that(?: one)?|this one)|not (?:on )?that day',
    ),
    read: () => kind('other_day'),
  },
];
