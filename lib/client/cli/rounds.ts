import type { Bodies } from '../tandem.ts';
import { CsvError, decoded, type Field, parseCsv } from './csv.ts';
import { UsageError } from './usage.ts';

type Meeting = Bodies['BatchRequest']['meetings'][number];

export type Round = { meetings: Meeting[]; fields: Record<string, Field>[] };

export const REQUIRED_COLUMNS = ['reference', 'requester', 'attendee'] as const;
export const OPTIONAL_COLUMNS = ['duration_minutes', 'title', 'context', 'priority'] as const;
const METADATA = 'metadata.';
const MOST_MEETINGS = 2_000;
const MOST_MISTAKES = 20;

/** Throws `UsageError` with all mistakes by line and column. Nothing is ignored, not even an unknown column. */
export function roundOf(name: string, bytes: Uint8Array, durationMinutes: number | undefined): Round {
  const rows = rowsOf(name, bytes);
  const [header, ...lines] = rows;
  if (header === undefined) throw new UsageError(`${name} is empty.`);
  const columns = columnsOf(name, header);
  if (lines.length === 0) throw new UsageError(`${name} has no meetings below the line with the column names.`);
  if (lines.length > MOST_MEETINGS)
    throw new UsageError(
      `${name} has ${lines.length} meetings, and a batch takes at most ${MOST_MEETINGS}. Split the file.`,
    );
  const mistakes: Mistake[] = [];
  const seen = new Map<string, number>();
  const fields = lines.map((line) => fieldsOf(line, columns, mistakes));
  const meetings = fields.map((row) => meetingOf(row, { durationMinutes, seen, mistakes }));
  refuse(name, mistakes);
  return { meetings, fields };
}

/** The API refused `field`, such as `meetings.3.attendees.1`. Undefined if the file does not have it. */
export function positionOf(field: string, { fields }: Round): { line: number; column: number } | undefined {
  const [, index, path = ''] = /^meetings\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
  const row = index === undefined ? undefined : fields[Number(index)];
  if (row === undefined) return undefined;
  const named = { 'attendees.0': 'requester', 'attendees.1': 'attendee', attendees: 'attendee' }[path] ?? path;
  const { line, column } = row[named] ?? row.reference ?? { line: 0, column: 0 };
  return { line, column };
}

type Mistake = { field: Pick<Field, 'line' | 'column'>; message: string };

function rowsOf(name: string, bytes: Uint8Array): Field[][] {
  try {
    return parseCsv(decoded(bytes));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`${name}, line ${error.line}, column ${error.column} ${error.message}.`);
  }
}

function columnsOf(name: string, header: Field[]): string[] {
  const columns = header.map(({ text }) => text.trim());
  const known: readonly string[] = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];
  const mistakes = header.flatMap((field, at): Mistake[] => {
    const column = columns[at] ?? '';
    if (columns.indexOf(column) < at) return [{ field, message: `the column "${column}" is there twice` }];
    const isKnown = known.includes(column) || (column.startsWith(METADATA) && column !== METADATA);
    const rule = `"${column}" is not a column. The columns are ${known.join(', ')} and metadata.<key>`;
    return isKnown ? [] : [{ field, message: rule }];
  });
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  for (const column of missing)
    mistakes.push({ field: { line: 1, column: columns.length + 1 }, message: `the column "${column}" is missing` });
  refuse(name, mistakes);
  return columns;
}

function fieldsOf(line: Field[], columns: string[], mistakes: Mistake[]): Record<string, Field> {
  const [first = { line: 0, column: 1 }] = line;
  const surplus = line[columns.length];
  if (surplus !== undefined)
    mistakes.push({ field: surplus, message: `the line has ${line.length} fields, the first line ${columns.length}` });
  if (line.length < columns.length)
    mistakes.push({
      field: { line: first.line, column: line.length + 1 },
      message: `the line has only ${line.length} of ${columns.length} fields`,
    });
  return Object.fromEntries(columns.flatMap((column, at) => (line[at] === undefined ? [] : [[column, line[at]]])));
}

type Reading = { durationMinutes: number | undefined; seen: Map<string, number>; mistakes: Mistake[] };

function meetingOf(row: Record<string, Field>, { durationMinutes, seen, mistakes }: Reading): Meeting {
  const textOf = (column: string): string => row[column]?.text.trim() ?? '';
  const wrong = (column: string, message: string) => {
    const field = row[column];
    if (field !== undefined) mistakes.push({ field, message });
  };
  const wholeOf = (column: string): number | undefined => {
    const given = textOf(column);
    if (given !== '' && !/^\d{1,4}$/.test(given)) wrong(column, `${column} must be a whole number, not "${given}"`);
    return given === '' ? undefined : Number(given);
  };
  const emailOf = (column: string): string => {
    const given = textOf(column);
    if (given !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(given))
      wrong(column, `${column} must be an email address, not "${given}"`);
    return given;
  };
  for (const column of REQUIRED_COLUMNS) if (textOf(column) === '') wrong(column, `${column} is empty`);
  const [reference, requester, attendee] = [textOf('reference'), emailOf('requester'), emailOf('attendee')];
  if (requester !== '' && requester.toLowerCase() === attendee.toLowerCase())
    wrong('attendee', 'attendee must not be the requester');
  const before = seen.get(reference);
  if (before !== undefined && reference !== '')
    wrong('reference', `the reference "${reference}" is on line ${before} already`);
  else seen.set(reference, row.reference?.line ?? 0);
  const metadata = Object.entries(row).flatMap(([column, { text }]) =>
    column.startsWith(METADATA) && text !== '' ? [[column.slice(METADATA.length), text]] : [],
  );
  return {
    reference,
    attendees: [requester, attendee],
    duration_minutes: wholeOf('duration_minutes') ?? durationMinutes,
    title: textOf('title') || undefined,
    context: (textOf('context') || undefined) as Meeting['context'],
    priority: wholeOf('priority'),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
  };
}

function refuse(name: string, mistakes: Mistake[]): void {
  if (mistakes.length === 0) return;
  const sorted = mistakes.toSorted((a, b) => a.field.line - b.field.line || a.field.column - b.field.column);
  const lines = sorted
    .slice(0, MOST_MISTAKES)
    .map(({ field: { line, column }, message }) => `${name}, line ${line}, column ${column}: ${message}.`);
  const more = mistakes.length > MOST_MISTAKES ? [`${mistakes.length - MOST_MISTAKES} more mistakes follow.`] : [];
  throw new UsageError([...lines, ...more, 'Nothing was sent.'].join('\n'));
}
