export type Field = { text: string; line: number; column: number };

export class CsvError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, at: { line: number; column: number }) {
    super(message);
    this.line = at.line;
    this.column = at.column;
  }
}

const BOM = '\uFEFF';
const SEPARATORS = [',', ';', '\t'] as const;

export function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const [before = ''] = new TextDecoder().decode(bytes).split('\uFFFD', 1);
    const line = before.split('\n').length;
    throw new CsvError('is not in UTF-8. Save the file as “CSV UTF-8”', { line, column: 1 });
  }
}

/**
 * Parses a CSV file (RFC 4180) to rows of fields. The separator is a comma, a semicolon or a tab, whichever comes first
 * in the first line outside quotes. Lines may end in LF or CRLF, and the file may begin with a byte order mark. Empty
 * lines are left out. Throws `CsvError` for a quoted field that is not closed or is followed by other text, and for a
 * quote within an unquoted field.
 */
export function parseCsv(text: string): Field[][] {
  const source = text.startsWith(BOM) ? text.slice(BOM.length) : text;
  const separator = separatorOf(source);
  const rows: Field[][] = [];
  let row: Field[] = [];
  let line = 1;
  let at = 0;
  let isDone = source === '';
  while (!isDone) {
    const place = { line, column: row.length + 1 };
    const field = source[at] === '"' ? quotedAt(source, at, place) : bareAt(source, at, separator, place);
    row.push({ text: field.text, ...place });
    line += field.text.split('\n').length - 1;
    at = field.end;
    if (at < source.length && !isEnd(source, at, separator))
      throw new CsvError('has text after the closing quote', { ...place, line });
    if (source[at] === separator) {
      at++;
      continue;
    }
    if (row.length > 1 || field.text !== '') rows.push(row);
    row = [];
    line++;
    if (source[at] === '\r') at++;
    at++;
    isDone = at >= source.length;
  }
  return rows;
}

const isEnd = (source: string, at: number, separator: string) =>
  source[at] === separator || source[at] === '\n' || (source[at] === '\r' && source[at + 1] === '\n');

type Place = Omit<Field, 'text'>;

function bareAt(source: string, start: number, separator: string, place: Place): { text: string; end: number } {
  let end = start;
  while (end < source.length && !isEnd(source, end, separator)) end++;
  const text = source.slice(start, end);
  if (text.includes('"'))
    throw new CsvError('has a quote within a field that does not begin with one. Quote the whole field', place);
  return { text, end };
}

/** Two quotes within it stand for one. `end` is the index after the closing quote. */
function quotedAt(source: string, start: number, place: Place): { text: string; end: number } {
  let text = '';
  for (let from = start + 1; ; ) {
    const quote = source.indexOf('"', from);
    if (quote < 0) throw new CsvError('has a quote that is not closed', place);
    text += source.slice(from, quote);
    if (source[quote + 1] !== '"') return { text, end: quote + 1 };
    text += '"';
    from = quote + 2;
  }
}

function separatorOf(source: string): string {
  const [header = ''] = source.replaceAll(/"[^"]*"/g, '').split('\n', 1);
  const found = SEPARATORS.filter((one) => header.includes(one));
  return found.sort((a, b) => header.indexOf(a) - header.indexOf(b))[0] ?? ',';
}
