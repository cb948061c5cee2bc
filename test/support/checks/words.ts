/** Fields that hold people's own words and addresses, at any depth of a body. */
const FIELDS =
  /^(?:title|description|reason|context|location|scheduling_context|attendees|requested_by|user_email|email)$/;
const SHORTEST = 6;

const said = new Set<string>();

/** Remembers the words people wrote in a request body, so that the log can be searched for them. */
export function remember(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    if (FIELDS.test(name)) for (const text of [value].flat()) keep(text);
    if (typeof value === 'object') remember(value);
  }
}

function keep(text: unknown): void {
  // Text made only of lowercase letters and underscores is the service's own vocabulary, not a person's words.
  if (typeof text === 'string' && text.trim().length >= SHORTEST && !/^[a-z_]+$/.test(text)) said.add(text.trim());
}

const SECRET = /(?:sk|pk)_(?:live|user)_[\w-]{20}|whsec_[\w+/-]{20}|ya29\.|postgres(?:ql)?:\/\/|[\w.+-]+@[\w-]+\.\w+/;
const HASH = /\b[0-9a-f]{64}\b/;

/** Finds log lines that show a key, its hash, an address or a person's words. */
export const tellingLines = (lines: readonly string[]): string[] => {
  const words = [...said];
  return lines.filter((line) => SECRET.test(line) || HASH.test(line) || words.some((word) => line.includes(word)));
};
