import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Answers, type Bodies, type Tandem, TandemError } from '../tandem.ts';
import { type Arguments, type Command, command, dateRange, minutes, type Outcome, whole } from './options.ts';
import { positionOf, type Round, roundOf } from './rounds.ts';
import { columns, many, warn } from './show.ts';
import { UsageError } from './usage.ts';

type Batch = Answers['Batch'];
type BatchResult = Answers['BatchResult'];
type BatchRequest = Bodies['BatchRequest'];

const TIMEOUT_SECONDS = 6 * 3_600;

export const BATCH_COMMANDS: Record<string, Command> = {
  batch: command(
    ['dry-run', 'duration', 'from', 'to', 'max-per-person', 'max-per-day', 'out', 'idempotency-key'],
    ['file.csv'],
    async (tandem, args, [file]) => {
      const round = roundOf(basename(file), readFile(file), minutes(args.duration));
      checkWritable(args.out);
      const body = bodyOf(round, args);
      const idempotencyKey = args['idempotency-key'] ?? keyOf(body);
      const { batch_id: id } = await tandem
        .scheduleBatch(body, { idempotencyKey })
        .catch((error: unknown) => refuseInFile(error, basename(file), round));
      warn([
        `${id}: ${many(round.meetings.length, 'meeting is', 'meetings are')} being ${args['dry-run'] ? 'placed' : 'placed and booked'}.`,
      ]);
      if ((await tandem.getBatch(id, { limit: 1 })).ended_at !== null)
        warn([
          'This file was sent within the last 24 hours, so nothing is sent again. These are the results of that time.',
          'To send it again all the same, use --idempotency-key with a new value.',
        ]);
      return follow(tandem, id, args);
    },
  ),

  'batch show': command(['wait', 'out'], ['batch_id'], async (tandem, args, [id]) => {
    checkWritable(args.out);
    return args.wait ? follow(tandem, id, args) : outcomeOf(tandem, await tandem.getBatch(id, { limit: 1 }), args);
  }),

  'batch commit': command(['out'], ['batch_id'], async (tandem, args, [id]) => {
    checkWritable(args.out);
    await tandem.commitBatch(id);
    warn([`${id} is being booked.`]);
    return follow(tandem, id, args);
  }),

  'batch cancel': command([], ['batch_id'], async (tandem, _options, [id]) => {
    const answer = await tandem.cancelBatch(id);
    const { booked, placed, cancelled } = answer.counts;
    const begun = placed > 0 ? `, ${many(placed, 'is', 'are')} being booked at this moment` : '';
    return {
      answer,
      lines: [
        `${id} is cancelled. ${many(booked, 'meeting was booked and stays', 'meetings were booked and stay')}${begun}, and ${many(cancelled, 'is', 'are')} cancelled.`,
      ],
    };
  }),
};

async function follow(tandem: Tandem, id: string, args: Arguments): Promise<Outcome> {
  const bar = progressBar();
  const stop = new AbortController();
  const interrupted = () => stop.abort();
  process.once('SIGINT', interrupted);
  try {
    const wait = { timeoutSeconds: TIMEOUT_SECONDS, signal: stop.signal, onProgress: bar.draw };
    const batch = await tandem.waitForBatch(id, wait);
    bar.end();
    return await outcomeOf(tandem, batch, args);
  } catch (error) {
    warn(['', `${id} continues without this command. To see it again, run: tandem batch show ${id}`]);
    if (!stop.signal.aborted) throw error;
    return { answer: undefined, lines: [], isFailure: true };
  } finally {
    process.removeListener('SIGINT', interrupted);
  }
}

async function outcomeOf(tandem: Tandem, batch: Batch, { out }: Arguments): Promise<Outcome> {
  const meetings = await tandem.listBatchMeetings(batch.batch_id);
  if (out !== undefined) writeFileSync(out, resultsCsv(meetings));
  const { unplaced, failed } = batch.counts;
  return {
    answer: { ...batch, meetings, pagination: { next_cursor: null, has_more: false } },
    lines: [...showResults(batch, meetings), ...nextSteps(batch, meetings, out)],
    isFailure: unplaced + failed > 0,
  };
}

function nextSteps({ batch_id, status }: Batch, meetings: BatchResult[], out: string | undefined): string[] {
  const commit = `To book this, run: tandem batch commit ${batch_id}`;
  return [
    ...(out === undefined ? [] : [`All ${meetings.length} results are in ${out}.`]),
    ...(status === 'planned' ? [`Nothing is booked so far. ${commit}`] : []),
  ];
}

function bodyOf({ meetings }: Round, args: Arguments): BatchRequest {
  return {
    meetings,
    date_range: dateRange(args),
    max_per_person: whole(args['max-per-person'], '--max-per-person must be a whole number of meetings.'),
    max_per_day: whole(args['max-per-day'], '--max-per-day must be a whole number of meetings.'),
    ...(args['dry-run'] && { dry_run: true }),
  };
}

/** It is a hash of the request if the batch books, so the same file within 24 hours books nothing twice. */
const keyOf = (body: BatchRequest): string =>
  body.dry_run ? randomUUID() : createHash('sha256').update(JSON.stringify(body)).digest('hex');

const readFile = (file: string): Uint8Array => insistOn(`${file} cannot be read`, () => readFileSync(file));

/** Throws `UsageError` if the results could not be written to this file. It is called before anything is sent. */
function checkWritable(out: string | undefined): void {
  if (out !== undefined) insistOn(`${out} cannot be written`, () => writeFileSync(out, '', { flag: 'a' }));
}

function insistOn<T>(refusal: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new UsageError(`${refusal} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** If it is about a field of the CSV file, first prints the line and the column of that field. */
function refuseInFile(error: unknown, name: string, round: Round): never {
  const field = error instanceof TandemError ? error.facts.field : undefined;
  const place = field === undefined ? undefined : positionOf(field, round);
  if (place !== undefined) warn([`${name}, line ${place.line}, column ${place.column}:`]);
  throw error;
}

const WIDTH = 30;
const CLEAR_LINE = '\r\x1b[2K';

/** Redraws one line in a terminal. In a file or a pipe, prints a line at each further tenth. */
function progressBar() {
  const { stderr } = process;
  let tenths = -1;
  return {
    draw(batch: Batch): void {
      const line = progressLine(batch);
      const now = Math.floor(batch.progress * 10);
      if (stderr.isTTY) stderr.write(`${CLEAR_LINE}${line}`);
      else if (now !== tenths) stderr.write(`${line}\n`);
      tenths = now;
    },
    end(): void {
      if (stderr.isTTY) stderr.write('\n');
    },
  };
}

function progressLine({ progress, total, counts }: Batch): string {
  const full = Math.round(progress * WIDTH);
  const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
  const { open, ...states } = counts;
  return `${bar} ${String(Math.round(progress * 100)).padStart(3)} % of ${total}: ${[...named(states), `${open} open`].join(', ')}`;
}

const named = (counts: Partial<Batch['counts']>) =>
  Object.entries(counts).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]));

/** If there are more, all of them are left out, because they would hide the meetings without a time. */
const MOST_WITH_TIME = 40;
const WIDEST = 44;

function showResults({ batch_id, status, total, counts }: Batch, meetings: BatchResult[]): string[] {
  const withTime = meetings.filter(({ start_time }) => start_time !== null);
  const without = meetings.filter(({ start_time }) => start_time === null);
  const isShort = withTime.length <= MOST_WITH_TIME;
  return [
    `${batch_id} is ${status}: of ${many(total, 'meeting')}, ${named(counts).join(', ')}.`,
    ...(isShort ? tableOf(['REFERENCE', 'STATE', 'START (UTC)', 'MEETING', 'PEOPLE'], withTime.map(timeRow)) : []),
    ...(isShort ? [] : ['The meetings with a time are left out here. To get them all, use --out results.csv']),
    ...(without.length === 0 ? [] : ['']),
    ...tableOf(['REFERENCE', 'STATE', 'REASON', 'PEOPLE'], without.map(reasonRow)),
    ...explained(without),
  ];
}

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

const tableOf = (head: string[], rows: string[][]): string[] =>
  rows.length === 0 ? [] : columns([head, ...rows], WIDEST);
