import { CHOICE, NAME, TIME, WEEKDAY } from './constructions.ts';
import type { Tag } from './tags.ts';

/** More phrases with blanks, which are tried after those in `constructions.ts`. */
export const SAYINGS: [tag: Tag, source: string][] = [
  // "Thanks for Tuesday" looks back.
  [
    't',
    `(?:thanks|thank you|cheers|sorry|apologies)(?: so much| a lot| again| both| all)? (?:for|about)(?= (?:(?:the|your|our|all|on|last|this) )*(?:${WEEKDAY}[a-z]*|today|yesterday)(?: |$))`,
  ],
  // "The earliest I can get away is Friday".
  [
    'a',
    `(?:the )?(?:very )?(?:earliest|soonest|first (?:day|time|date|chance|slot))(?: that| when)? (?:i|we) (?:can|could|will|would|am|are|have)(?: [a-z]+){0,4}? (?:is|would be|will be)(?= ${TIME})`,
  ],
  [
    'c',
    `(?:(?:i|we) )?(?:(?:would|will|do|also|really) )*(?:need|want|like)(?= (?:the |all |my |all of )?(?:${WEEKDAY}[a-z]*|tomorrow|today|mornings?|afternoons?)(?: (?:mornings?|afternoons?|evenings?))? (?:free|clear|off|empty|to myself)(?: |$))`,
  ],
  // "Any day, as long as we are done by 12" bounds what is asked for.
  [
    'a',
    '(?:as long as|so long as|provided(?: that)?|if) (?:we|it|this|the (?:call|meeting)) (?:are|is|can be|could be|will be|would be|finish(?:es)?|ends?|wraps? up)(?: (?:done|finished|over|out))?(?= (?:by|before) )',
  ],
  ['a', 'is it possible to (?:have|get|book|make|do)(?: it| this)?'],
  ['k', '(?:is|are) (?:my|our|the) only (?:[a-z]+ )?(?:window|time|slot|gap|hours?)(?: (?:of|in) the day)?'],
  ['u', '(?:i|we) (?:switch off|down tools|unplug)(?! (?:at|by|from|around) )'],
  ['f', 'on the dot'],
  // The person who writes says what somebody else wants or does, and asks for nothing.
  [
    'x',
    '(?:they|he|she|who) (?:do|does|did|wants?|wanted|needs?|likes?|prefers?|preferred|asked for|suggested|proposed)(?: (?:to|the|it|me|us|this|done|finished|sorted))*|nothing else(?! (?:than|but))',
  ],
  // "The district nurse comes on Mondays between 9 and 11".
  [
    'h',
    `(?:the|my|our) ${NAME}{1,3}(?:comes?|visits?|turns? up|drops by|pops (?:in|by)|is (?:here|round|coming)|are (?:here|round|coming))(?: (?:round|in|by|over|to us|for us))?(?= ${TIME})`,
  ],
  // "Bench time is mornings".
  [
    'h',
    `(?!${CHOICE}[a-z]{0,8} )(?!core|quality|office|my|lunch|peak)[a-z]{3,} (?:time|work|duty|practice) (?:is|are)(?= (?:on )?(?:the )?(?:mornings?|afternoons?|evenings?|mon|tue|wed|thu|fri|sat|sun))`,
  ],
  [
    'u',
    '(?:at|in|over at|up at|down at) (?:the |our |my |a )?(?:other|second|main|far|remote|client|[a-z]{4,}) (?:site|campus|branch|plant|depot|store|shop|clinic|surgery|lab|warehouse|factory|ward)(?! (?:hours|party))',
  ],
  ['u', 'asleep|sleeping|in bed'],
  ['a', '(?:let|have) (?:it|us|this) (?:start|begin|kick off)(?: (?:at|from|on))?'],
  [
    't',
    '(?:has|have|had) (?:already |now |just )?been (?:moved|pushed|postponed|rescheduled|shifted|changed)|(?:runs?|ran) out|expires?|lapses?|falls? due|(?:is|are) due(?= on)',
  ],
  ['x', 'breaks? up|broke up|out of (?:order|service|stock|date)'],
  [
    'a',
    '(?<=(?:can|could|shall|may|might) (?:we|you|they) )(?:hold|host|run) (?:it|this|that|the (?:meeting|call|session))',
  ],
  [
    'u',
    '(?:(?:i|we) )?(?:will be|am|are) with (?!(?:you|it|that|this|them|him|her)(?: |$))(?:the |an? |my |our )?[a-z]+',
  ],
  // "I need until Friday" asks for no day before it.
  [
    'p',
    '(?:(?:i|we|they|he|she|who) )?(?:(?:will|would|do|might|may) )?(?:needs?|have|take|takes)(?: (?:time|more time))?(?= until (?:at least )?(?:the |next |mon|tue|wed|thu|fri|sat|sun|\\d{1,2} (?:st|nd|rd|th|dec|jan)|tomorrow|january|december))(?<!(?:i|we) have)(?<!\\bhave)',
  ],
  [
    'h',
    '(?:(?:i|we) )?(?:am|are) (?:meant|supposed|due|expected) to be (?:in|at|on) (?!(?:the (?:morning|afternoon|evening))|mon|tue|wed|thu|fri)(?:the |a |my )?[a-z]{3,}',
  ],
  ['g', '(?:is|has|have) (?:got )?nothing (?:in|on)(?: it| then)?'],
  [
    'g',
    '(?:i|we) have (?:got )?(?:only )?(?:(?:an?|one|some|the) )?(?:(?:free|spare|clear|open|quiet) (?:hours?|half hour|time|moment|bit|afternoon|morning|spell)|gap)(?: free)?(?! (?:of|to|in my|in our))',
  ],
  [
    'e',
    `(?<=\\b(?:any ?time|any|every|all|each|all day|whenever) (?:time |day )?(?:on )?(?:(?:this|next) )?(?:week|${WEEKDAY}[a-z]*) )(?:but|bar|save)(?: for| from)?(?= (?:\\d|between|lunch|noon|the (?:morning|afternoon)|mornings?|afternoons?))`,
  ],
  ['|', 'lol|haha|hahaha|lmao'],
  // "I take my son to football at 4".
  [
    'h',
    '(?:i|we) (?:(?:always|usually|will|must|also) )?(?:am |are )?(?:take|bring|drive|walk) (?:my|our) [a-z]+ to(?: (?:the|his|her|their|an?))?|(?:(?:i|we) )?(?:(?:am|are|will be) )?(?:taking|driving|bringing|accompanying|running) (?:my|our|the) [a-z]+ (?:to|for|in for)(?: (?:the|his|her|their|an?))?',
  ],
];
