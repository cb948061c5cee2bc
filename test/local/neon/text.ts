/** Converts a JSON parameter to the text that Postgres reads, as Neon's proxy does. */
export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayLiteral(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function arrayLiteral(values: unknown[]): string {
  return `{${values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : element(value))).join(',')}}`;
}

function element(value: unknown): string {
  const text = toText(value);
  if (text === null) return 'NULL';
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
