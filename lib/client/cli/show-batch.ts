import type { Batch, BatchResult } from '../tandem.ts';
import { many } from './show.ts';

/** If there are more, all of them are left out, because they would hide the meetings without a time. */
const MOST_WITH_TIME = 40;
const WIDEST = 44;

/** Formats the results of a batch: how many meetings there are of each state, and a table of the meetings. */
export function showResults({ batch_id, status, total, counts }: Batch, meetings: BatchResult[]): string[] {
  const named = Object.entries(counts).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]));
  const withTime = meetings.filter(({ start_time }) => start_time !== null);
  const without = meetings.filter(({ start_time }) => start_time === null);
  const isShort = withTime.length <= MOST_WITH_TIME;
  return [
    `${batch_id} is ${status}: of ${many(total, 'meeting')}, ${named.join(', ')}.`,
    ...(isShort ? tableOf(['REFERENCE', 'STATE', 'START (UTC)', 'MEETING', 'PEOPLE'], withTime.map(timeRow)) : []),
    ...(isShort ? [] : ['The meetings with a time are left out here. To get them all, use --out results.csv']),
    ...(without.length === 0 ? [] : ['']),
    ...tableOf(['REFERENCE', 'STATE', 'REASON', 'PEOPLE'], without.map(reasonRow)),
    ...explained(without),
  ];
}

/** `reference` matches each row to a row of the file that was sent. */
export function resultsCsv(meetings: BatchResult[]): string {
  const head = ['reference', 'requester', 'attendee', 'state', 'start_time', 'end_time', 'meeting_id'];
  const rows = meetings.map(({ reference, attendees, state, start_time, end_time, meeting_id, reason }) =>
    [
      ...[reference, ...attendees, state, start_time ?? '', end_time ?? '', meeting_id ?? ''],
      ...[reason?.code ?? '', reason?.message ?? '', reason?.suggestions.join(' ') ?? ''],
    ]
      .map(csvField)
      .join(','),
  );
  return [[...head, 'reason_code', 'reason', 'suggestions'].join(','), ...rows].map((row) => `${row}\r\n`).join('');
}

/** Quotes a field where needed. Spreadsheets run a field that begins like a formula, unless an apostrophe stands before it. */
function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const timeRow = ({ reference, state, start_time, meeting_id, attendees }: BatchResult) => [
  ...[reference, state, start_time?.slice(0, 16).replace('T', ' ') ?? ''],
  ...[meeting_id ?? '', attendees.join(', ')],
];

const reasonRow = ({ reference, state, reason, attendees }: BatchResult) => [
  ...[reference, state, reason?.code ?? ''],
  attendees.join(', '),
];

/** Each message and its suggestions come once, followed by the references of these meetings. */
function explained(without: BatchResult[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { reference, reason } of without) {
    if (reason === null) continue;
    const { code, message, suggestions } = reason;
    const text = [`${code}: ${message}`, ...suggestions].join('\n    ');
    byReason.set(text, [...(byReason.get(text) ?? []), reference]);
  }
  return [...byReason].flatMap(([text, references]) => ['', `  ${text}`, `    ${namesOf(references)}`]);
}

const namesOf = (references: string[]) =>
  references.length > 5
    ? `(${references.slice(0, 5).join(', ')} and ${references.length - 5} more)`
    : `(${references.join(', ')})`;

/** A cell longer than `WIDEST` is not cut, but shifts the rest of its row to the right. */
function tableOf(head: string[], rows: string[][]): string[] {
  if (rows.length === 0) return [];
  const widths = head.map((name, at) =>
    Math.min(WIDEST, Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0))),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
