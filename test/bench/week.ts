// Plays a week of the world's clock for many calendars, minute by minute, through the product's own code. Uses PGlite
// and the Google stand-in, without the Worker around them:
//
//   npm run bench -- week                                            a hundred accounts
//   BENCH_ACCOUNTS=1000 BENCH_KIND=idle npm run bench -- week        those of a thousand whom nobody asks for
//   BENCH_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres    with either: a database of its own on that server
//
// The behavior of a hundred accounts:
// - Ten are asked for ten times a day at random times, and two of these have an upcoming Tandem meeting.
// - Three have such a meeting, but nobody asks for them. Eighty-seven have neither.
// - Each account changes some twenty times a day, every third has a second calendar, and each meeting gets a new
//   response once a day.
// - One push in twenty is lost. The provider is down twice and pushes nothing: for an hour on the second day without
//   answers, and for three hours on the fifth day with 503.
// At the end somebody asks for every account, and once all is quiet each snapshot must equal its calendar. BENCH_SEED
// fixes what people do. The bench exits with 1 if a change or a response never arrived, or if a snapshot that was out
// of date for more than a quarter of an hour was served.
import { createNeon } from '../local/neon.ts';
import { temporaryDatabase } from '../local/temporary-database.ts';
import { MIGRATIONS } from '../local/world.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { openCalendarLab } from '../support/worlds/calendar-lab.ts';
import { printTable } from './figures.ts';
import { type Kind, MINUTE, playWeek, type WeekFigures } from './week-played.ts';

const { BENCH_ACCOUNTS = '100', BENCH_KIND = '', BENCH_SEED = '1', BENCH_POSTGRES } = process.env;
const LONGEST_MS = 15 * MINUTE;
const KINDS: Kind[] = [
  { name: 'asked for', share: 0.08, asksADay: 10, hasMeeting: false },
  { name: 'asked for, with a meeting ahead', share: 0.02, asksADay: 10, hasMeeting: true },
  { name: 'idle, with a meeting ahead', share: 0.03, asksADay: 0, hasMeeting: true },
  { name: 'idle', share: 0.87, asksADay: 0, hasMeeting: false },
];

const kinds = KINDS.filter(({ name }) => BENCH_KIND === '' || name === BENCH_KIND);
if (kinds.length === 0) throw new Error(`BENCH_KIND is one of: ${KINDS.map(({ name }) => name).join('; ')}`);
const random = () => chance.below(1_000_000) / 1_000_000;
const chance = seeded(Number(BENCH_SEED));
const began = process.cpuUsage();
const played: { kind: Kind; figures: WeekFigures }[] = [];
for (const kind of kinds) {
  const database = BENCH_POSTGRES === undefined ? undefined : await temporaryDatabase(BENCH_POSTGRES);
  const neon = await createNeon(database === undefined ? {} : { postgresUrl: database.url });
  await neon.migrate(MIGRATIONS);
  const lab = await openCalendarLab(neon);
  // At least two, because a meeting has two people.
  const count = Math.max(2, Math.round(Number(BENCH_ACCOUNTS) * kind.share));
  const onDay = (day: number) => console.error(`${kind.name}: day ${day} of 7 after ${seconds()} s of processor`);
  try {
    played.push({ kind, figures: await playWeek(lab, { kind, count, random, onDay }) });
  } finally {
    await lab.close();
    await database?.drop();
  }
  report(played.slice(-1), kind.name);
}
if (played.length > 1) report(played, 'all together');
const isBad = ({ figures }: (typeof played)[number]) =>
  figures.lost > 0 || figures.lostAnswers > 0 || figures.longestStale > LONGEST_MS;
process.exitCode = played.some(isBad) ? 1 : 0;

function report(of: typeof played, title: string): void {
  const all = of.map(({ figures }) => figures);
  const sum = (
    name: 'accounts' | 'changes' | 'pushes' | 'lostPushes' | 'heard' | 'pushCalls' | 'google' | 'neon' | 'lost',
  ) => all.reduce((total, one) => total + one[name], 0);
  const accounts = sum('accounts');
  const answers = all.flatMap(({ answeredAfter }) => answeredAfter);
  const asks = all.flatMap((one) => one.asks);
  const served = asks.filter((source) => source === 'snapshot').length;
  printTable([
    [title, ''],
    ['accounts', `${accounts}`],
    ['changes', `${sum('changes')}`],
    ['pushes, and lost of them', `${sum('pushes')}, ${sum('lostPushes')}`],
    ['accounts whose changes never came', `${sum('lost')}`],
    ...timed(
      'without an outage a snapshot shows a change after',
      all.flatMap(({ shownAfter }) => shownAfter),
    ),
    ...timed('and an answer to an invitation is known after', answers),
    ['longest that something out of date was served', minutes(Math.max(...all.map((one) => one.longestStale)))],
    ...(asks.length === 0
      ? []
      : [['searches, and served from the snapshot', `${asks.length}, ${((100 * served) / asks.length).toFixed(0)} %`]]),
    ...timed(
      'asked for again, it is served after',
      all.flatMap(({ wokenAfter }) => wokenAfter),
    ),
    ['calls to Google’s calendar per account and day', (sum('google') / accounts / 7).toFixed(2)],
    ['Postgres round trips per account and day', (sum('neon') / accounts / 7).toFixed(2)],
    ['pushes per account and day', (sum('pushes') / accounts / 7).toFixed(2)],
    ['Postgres round trips per push, with the read it leads to', (sum('pushCalls') / sum('heard')).toFixed(1)],
    ['seconds of this machine’s processor so far', seconds()],
  ]);
}

function seconds(): string {
  const { user, system } = process.cpuUsage(began);
  return ((user + system) / 1e6).toFixed(0);
}

function timed(what: string, after: number[]): string[][] {
  const sorted = after.toSorted((a, b) => a - b);
  const [middle, last] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (middle === undefined || last === undefined) return [];
  return [[`${what}: median, longest`, `${minutes(middle)}, ${minutes(last)}`]];
}

function minutes(ms: number): string {
  return `${(ms / MINUTE).toFixed(1)} min`;
}
