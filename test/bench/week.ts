import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DAY, MINUTE } from '../../lib/engine/time/dates.ts';
import { printTable, quantile } from './figures.ts';
import { KINDS, type Kind, type Measured, type Part, PROMISED, type WeekFigures } from './week-played.ts';

// Plays a week of the world's clock for many calendars, minute by minute, through the product's own code. Uses PGlite
// and the Google stand-in, without the Worker around them:
//
//   npm run bench -- week                                            a hundred accounts
//   npm run bench -- week --days 14 --people 1000                   a fortnight of a thousand
//   npm run bench -- week --kind idle                                one kind of accounts only
//   npm run bench -- week --save                                     keeps the figures for cost.ts
//
// The behavior of a hundred accounts:
// - Ten are asked for ten times a day at random times, and two of these have an upcoming Tandem meeting.
// - Three have such a meeting, but nobody asks for them. Eighty-seven have neither. Four of these are asked for once.
// - Each account changes some twenty times a day and adds a calendar in a fortnight, and every third has a second
//   calendar from the start. Each meeting gets a new response once a day, of which every fourth is a decline, and is moved
//   once in five days. One account in ten has its access taken away.
// - One push in twenty is lost. The provider is down twice and pushes nothing: for an hour on the second day without
//   answers, and for three hours on the fifth day with 503.
// At the end somebody asks for every account, and a search must be true and soon be served from the snapshot. --seed
// fixes what people do. The bench exits with 1 if a change was missed or seen later than promised, if an answer was out of
// date for longer than a snapshot may be served, or if a goal of calls a day is missed.

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100' },
    days: { type: 'string', default: '7' },
    kind: { type: 'string' },
    seed: { type: 'string', default: '1' },
    save: { type: 'boolean', default: false },
  },
});
const [people, days, seed] = [Number(values.people), Number(values.days), Number(values.seed)];
/** Most calls a day that an account may cost. */
const GOALS: Record<string, number> = { idle: 0.2, 'active: asked for': 40, 'the usual mix': 30 };
const MIX = 'the usual mix';
const HERE = new URL('.', import.meta.url).pathname;
const MEASURED = join(HERE, 'week-measured.json');

type Column = { name: string; share: number; figures: WeekFigures };

const kinds = KINDS.filter(({ name }) => values.kind === undefined || name === values.kind);
if (kinds.length === 0) throw new Error(`--kind is one of: ${KINDS.map(({ name }) => name).join('; ')}`);
const columns: Column[] = [];
const waiting = [...kinds];
/** Number of kinds that play at a time. */
const AT_ONCE = 2;
await Promise.all(Array.from({ length: AT_ONCE }, playOn));
columns.sort((a, b) => placeOf(a) - placeOf(b));
if (columns.length > 1) report(columns);
const failures = failuresOf(columns);
if (values.save) save(columns.map(measuredOf));
for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

async function playOn(): Promise<void> {
  for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
    // At least two, because a meeting has two people.
    const count = Math.max(2, Math.round(people * kind.share));
    const figures = await play({ kind, count, days, seed });
    const column = { name: kind.name, share: kind.share, figures };
    columns.push(column);
    report([column]);
  }
}

function play(part: Part): Promise<WeekFigures> {
  const { promise, resolve, reject } = Promise.withResolvers<WeekFigures>();
  const child = spawn(process.execPath, [join(HERE, 'week-played.ts'), JSON.stringify(part)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.on('close', (code) =>
    code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`${part.kind.name} broke off`)),
  );
  return promise;
}

function placeOf({ name }: { name: string }): number {
  return KINDS.findIndex((kind: Kind) => kind.name === name);
}

function report(columns: Column[]): void {
  const whole = columns.length === KINDS.length;
  const row = (what: string, of: (figures: WeekFigures) => number | string) => [
    what,
    ...columns.map(({ figures }) => shown(of(figures))),
    ...(whole ? [''] : []),
  ];
  const daily = (what: string, of: (figures: WeekFigures) => number) => {
    const each = columns.map(({ figures }) => perDay(figures, of(figures)));
    return [what, ...each.map(shown), ...(whole ? [shown(mixOf(columns, of))] : [])];
  };
  const calls = [...new Set(columns.flatMap(({ figures }) => Object.keys(figures.calls)))];
  console.log(`\n${people} people, ${days} days`);
  printTable([
    ['calls to Google’s calendar per account and day', ...columns.map(({ name }) => name), ...(whole ? [MIX] : [])],
    daily('all', ({ google }) => google),
    ...calls.map((call) => daily(`  ${call}`, (figures) => figures.calls[call] ?? 0)),
    daily('Postgres round trips per account and day', ({ neon }) => neon),
    daily('pushes per account and day', ({ pushes }) => pushes),
    row('accounts', ({ accounts }) => accounts),
    row('changes of busy times, and calendars added', (one) => `${one.changes}, ${one.calendarsAdded}`),
    row('searches answered; refused while Google was down', (one) => `${one.answers.length}; ${one.refused}`),
    row('  from the snapshot', ({ answers }) => share(answers, ({ source }) => source === 'snapshot')),
    row('  live, because the person was idle', ({ answers }) => answers.filter(({ isFirst }) => isFirst).length),
    row('  age of what they read: median, longest', ({ answers }) => spread(answers.map(({ age }) => age))),
    row('  out of date, and for how long: median, longest', ({ answers }) => {
      const stale = answers.flatMap((one) => (one.stale > 0 ? [one.stale] : []));
      return `${stale.length}: ${spread(stale)}`;
    }),
    ...['answer', 'decline', 'move', 'revoked access'].map((what) =>
      row(`each ${what} is known after: how many, median, longest`, ({ seenAfter }) => {
        const after = seenAfter[what] ?? [];
        return after.length === 0 ? '–' : `${after.length}: ${spread(after)}`;
      }),
    ),
    row('changes known after an outage', ({ seenAfterOutage }) => seenAfterOutage),
    row('changes missed, and known later than promised', ({ missed, late }) => `${missed}, ${late}`),
    row('accounts not true or not served at the end', ({ lost }) => lost),
    row('asked for again, served after: median, longest', ({ wokenAfter }) => spread(wokenAfter)),
    row('Postgres round trips per push', ({ pushCalls, heard }) => (heard === 0 ? '–' : pushCalls / heard)),
    row('seconds of this machine’s processor', ({ seconds }) => Math.round(seconds)),
  ]);
}

/** Keeps the figures of the kinds that were played, beside those of the others from earlier runs. */
function save(measured: Measured[]): void {
  const former: Measured[] = existsSync(MEASURED) ? JSON.parse(readFileSync(MEASURED, 'utf8')) : [];
  const all = [...former.filter(({ name }) => measured.every((one) => one.name !== name)), ...measured];
  writeFileSync(
    MEASURED,
    `${JSON.stringify(
      all.sort((a, b) => placeOf(a) - placeOf(b)),
      null,
      2,
    )}\n`,
  );
}

function measuredOf({ name, share: part, figures }: Column): Measured {
  const { google, neon, pushes, swept, ticks, answers } = figures;
  const daily = (sum: number) => Number(perDay(figures, sum).toFixed(3));
  return {
    ...{ name, share: part, google: daily(google), postgres: daily(neon - ticks) },
    ...{ pushes: daily(pushes), swept: daily(swept), searches: daily(answers.length) },
  };
}

function failuresOf(columns: Column[]): string[] {
  const daily = [
    ...columns.map(({ name, figures }) => [name, perDay(figures, figures.google)] as const),
    ...(columns.length === KINDS.length ? [[MIX, mixOf(columns, ({ google }) => google)] as const] : []),
  ];
  return [
    ...daily
      .filter(([name, calls]) => calls > (GOALS[name] ?? Number.POSITIVE_INFINITY))
      .map(([name, calls]) => `${name}: ${shown(calls)} calls a day, over ${GOALS[name]}`),
    ...columns.flatMap(({ name, figures: { missed, late, lost, answers } }) => [
      ...(missed + late + lost > 0 ? [`${name}: ${missed} changes missed, ${late} known late, ${lost} lost`] : []),
      ...(answers.some(({ stale }) => stale > PROMISED.stale)
        ? [`${name}: an answer was out of date for too long`]
        : []),
    ]),
  ];
}

function perDay({ accounts }: WeekFigures, sum: number): number {
  return sum / accounts / days;
}

/** Returns what one person and day costs, if so many are of each kind as their shares say. */
function mixOf(columns: Column[], of: (figures: WeekFigures) => number): number {
  return columns.reduce((sum, { share: part, figures }) => sum + part * perDay(figures, of(figures)), 0);
}

function share<T>(all: T[], is: (one: T) => boolean): string {
  return all.length === 0 ? '–' : `${((100 * all.filter(is).length) / all.length).toFixed(0)} %`;
}

function spread(durations: number[]): string {
  return durations.length === 0 ? '–' : `${minutes(quantile(durations, 0.5))}, ${minutes(Math.max(...durations))}`;
}

function minutes(ms: number): string {
  return ms < 600 * MINUTE ? `${(ms / MINUTE).toFixed(1)} min` : `${(ms / DAY).toFixed(1)} d`;
}

function shown(value: number | string): string {
  return typeof value === 'string' || Number.isInteger(value) ? `${value}` : value.toFixed(2);
}
