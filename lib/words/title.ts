import { CONTEXTS, type MeetingContext } from '../engine/rank/contexts.ts';

const LONGEST_TOPIC = 60;
const MOST_WORDS = 9;

const GREETING = /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b[^,!.:\n]{0,40}(?:[,!.:\n]+|$)\s*/i;
/** Pattern of the phrases that precede the topic in a request for a meeting. */
const LEAD_IN =
  /^(?:please|(?:can|could|shall|should) (?:we|you)|let['’]?s|(?:i|we)(?: would|['’]d)? (?:like|want|need|have|wish)(?: you)?(?: to)?|(?:find|set up|schedule|book|arrange|plan|organi[sz]e|do|have|hold|get|meet|talk|speak|chat|sync|catch up|discuss|go (?:over|through))\b|(?:a|an|the|our|some|quick|short|brief|time|together|us)\b|(?:meeting|call|session)? ?(?:to|for|about|on|regarding|re)\b|with \S+ (?:to|about))[\s:,]*/i;

/** Patterns of the words that reveal a meeting's context, wherever they stand in the text. */
const KINDS: [RegExp, MeetingContext][] = [
  [/\binvest(?:or|ment|ors)\b/i, 'investor_call'],
  [/\binterview/i, 'interview'],
  [/\bdemo\b/i, 'client_demo'],
  [/\b(?:stand ?up|standup)\b/i, 'team_standup'],
  [/\b(?:1:1|one.on.one)\b/i, 'one_on_one'],
  [/\bbrainstorm/i, 'brainstorm'],
  [/\bstrategy\b/i, 'strategy_session'],
  [/\bsales\b/i, 'sales_call'],
  [/\bintro(?:duction)?\b/i, 'warm_intro'],
  [/\breview\b/i, 'review'],
  [/\b(?:coffee|chat)\b/i, 'casual_chat'],
];

/** Others' texts pass through this before a model or a log reads them. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** To a reader they end a quotation as " does. */
const LIKE_QUOTES = /(?:[“”„‟＂〝〞〟″ʺˮ״❝❞]|['‘’]{2})+/g;

/** Returns a text that others wrote as the inside of a JSON string, so that between quotes it cannot end them. */
export const inQuotes = (text: string): string =>
  JSON.stringify(oneLine(text).replaceAll(LIKE_QUOTES, "'")).slice(1, -1);

/** Returns a text that others wrote as a quotation in a sentence. Its own double quotes become single ones. */
export const inCurlyQuotes = (text: string): string => oneLine(text).replaceAll('"', "'").replaceAll(LIKE_QUOTES, "'");

/** A context's name gives its own title, else a short topic, else the kind of meeting that the text names. */
export function suggestTitle(contextText: string, people: readonly string[]): string {
  const text = contextText.replaceAll('_', ' ').trim();
  const context = Object.keys(CONTEXTS).find((name) => name.replaceAll('_', ' ') === text.toLowerCase());
  if (isContext(context)) return withPeople(CONTEXTS[context].title, people);
  const topic = topicOf(text);
  if (topic !== '' && topic.length <= LONGEST_TOPIC && topic.split(' ').length <= MOST_WORDS)
    return withPeople(capitalize(topic), people);
  const kind = KINDS.find(([pattern]) => pattern.test(text))?.[1];
  return withPeople(kind ? CONTEXTS[kind].title : 'Meeting', people);
}

const isContext = (name: string | undefined): name is MeetingContext => name !== undefined && name in CONTEXTS;

function topicOf(text: string): string {
  let rest = text.replace(GREETING, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(LEAD_IN, '');
  }
  const sentence = rest.split(/[\r\n;]|[.!?]+(?:\s|$)|,\s/)[0] ?? '';
  return withoutTail(sentence.replace(/\s+/g, ' ')).trim();
}

const TAIL = ' :,.–-';

function withoutTail(text: string): string {
  let end = text.length;
  while (end > 0 && TAIL.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

export function defaultTitle(context: MeetingContext | undefined, people: readonly string[]): string {
  return withPeople(context ? CONTEXTS[context].title : 'Meeting', people);
}

export const PARTICLE =
  /^(?:van|von|vom|zu|de|del|dela|delos|della|der|den|di|da|do|dos|du|la|le|el|al|bin|ibn|ten|ter)$/i;

/** Keeps a name as it is. The address ada.lovelace@example.com becomes Ada Lovelace, and jan.de.vries Jan de Vries. */
export function nameOf(person: string): string {
  const at = person.indexOf('@');
  if (at < 0) return person.trim();
  const local = person.slice(0, at).replace(/\+.*$/, '');
  // A hyphen beside dots is part of a name: "reggie.watts-hall" is Reggie Watts-Hall.
  const words = local.split(/[._]/.test(local) ? /[._]+/ : /-+/).filter((word) => word !== '');
  const isBetween = (i: number) => i > 0 && i < words.length - 1;
  const written = words.map((word, i) =>
    isBetween(i) && PARTICLE.test(word) ? word : word.split('-').map(capitalize).join('-'),
  );
  return written.join(' ') || local;
}

function withPeople(topic: string, people: readonly string[]): string {
  const named = people.length === 0 ? topic : `${topic}: ${people.map(nameOf).join(' and ')}`;
  return oneLine(named).slice(0, 200).trim();
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
