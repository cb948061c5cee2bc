/** Fields that hold people's own words and addresses, wherever they stand in a body. */
const FIELDS =
  /^(?:title|description|reason|context|location|scheduling_context|attendees|requested_by|user_email|email)$/;
const SHORTEST = 6;

const said = new Set<string>();

/** Keeps what somebody said in a body that was sent, so that the log can be searched for it. */
export function remember(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    if (FIELDS.test(name)) for (const text of [value].flat()) keep(text);
    if (typeof value === 'object') remember(value);
  }
}

function keep(text: unknown): void {
  // What the service itself says is no one's word.
  if (typeof text === 'string' && text.trim().length >= SHORTEST && !/^[a-z_]+$/.test(text)) said.add(text.trim());
}

const SECRET = /(?:sk|pk)_(?:live|user)_[\w-]{20}|whsec_[\w+/-]{20}|ya29\.|postgres(?:ql)?:\/\/|[\w.+-]+@[\w-]+\.\w+/;
const HASH = /\b[0-9a-f]{64}\b/;

/** Lines that show a key, its hash, an address or anything that was said. */
export const tellingLines = (lines: readonly string[]): string[] => {
  const words = [...said];
  return lines.filter((line) => SECRET.test(line) || HASH.test(line) || words.some((word) => line.includes(word)));
};
