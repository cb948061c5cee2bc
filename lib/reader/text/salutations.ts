const DAY = '(?:mon|tues?|weds?|wednes|thu(?:rs?)?|fri|satur|sun)(?:day)?s?';
/** Words with which a sentence begins, and which are no name after a greeting. */
const BEGINS = `(?:can|cn|could|cud|would|will|any|please|pls|plz|sorry|apologies|is|are|am|may|might|shall|do|does|did|kindly|i|im|i'm|i've|ive|i'd|i'll|we|we're|we've|let|let's|lets|how|hows|how's|what|whats|what's|it|its|it's|this|that|the|my|our|your|just|thanks|thx|not|no|if|unfortunately|something|got|have|need|sadly|really|hope|wondering|there|there's|bit|move|push|shift|reschedule|postpone|bring|make|change|so|but|and|as|because|tomorrow|today|next|first|early|late|later|earlier|happy|running|would|only|free|${DAY})`;
const GREETING =
  '(?:hi+|hii+|hello|hey+|heya|hiya|dear|yo|morning|afternoon|evening|good (?:morning|afternoon|evening|day))';

/** The steps that set off the name of the person who is spoken to: "Hi Priya can we do Thursday". */
export const SALUTATIONS: [pattern: RegExp, to: string | ((match: string[]) => string)][] = [
  [
    new RegExp(`^(\\s*${GREETING}(?: (?!${BEGINS}\\b)\\p{L}[\\p{L}'-]*){1,3}) (?=${BEGINS}\\b|\\d)`, 'gu'),
    ([, greeting = '']) => `${greeting} , `,
  ],
  [
    new RegExp(
      `^(\\s*(?!(?:${BEGINS}|when|where|which|who|why|maybe|perhaps|also|then|${GREETING})\\b)\\p{L}{3,}) (?=(?:can|could|may|shall) (?:we|you|u|i)\\b)`,
      'gu',
    ),
    ([, name = '']) => `${name} , `,
  ],
  [
    new RegExp(
      `(?<=\\b(?:(?:with|for|suits?) (?:you|u)|thanks|cheers)) (?!(?:${BEGINS}|for|in|on|at|all|both|too|then|instead|a|again|very|guys|ever|to|x+)\\b)(?=\\p{L}{2,}[?!. ]*$)`,
      'gu',
    ),
    ' , ',
  ],
];
