import { CONTEXTS, type MeetingContext } from './contexts.ts';

const LONGEST_TOPIC = 80;

/** A title from the free text of a request: its first sentence, and the people. */
export function suggestTitle(contextText: string, people: readonly string[]): string {
  const sentence = contextText
    .trim()
    .split(/[\r\n]|[.!?](?:\s|$)/)[0]
    ?.replace(/\s+/g, ' ')
    .trim();
  return withPeople(sentence ? shorten(capitalize(sentence)) : 'Meeting', people);
}

/** The title of an automatic meeting that was given none, from its meeting context and the people. */
export function defaultTitle(context: MeetingContext | undefined, people: readonly string[]): string {
  return withPeople(context ? CONTEXTS[context].title : 'Meeting', people);
}

/** A name as it is, an address as the name in it: ada.lovelace@example.com is Ada Lovelace. */
export function nameOf(person: string): string {
  const at = person.indexOf('@');
  if (at < 0) return person.trim();
  const local = person.slice(0, at).replace(/\+.*$/, '');
  const words = local.split(/[._-]+/).filter((word) => word !== '');
  return words.map(capitalize).join(' ') || local;
}

function withPeople(topic: string, people: readonly string[]): string {
  return people.length === 0 ? topic : `${topic}: ${people.map(nameOf).join(' and ')}`.slice(0, 200);
}

function shorten(text: string): string {
  if (text.length <= LONGEST_TOPIC) return text;
  const cut = text.slice(0, LONGEST_TOPIC);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > 0 ? space : LONGEST_TOPIC)}…`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
