// Prints what a service of so many people uses a day, as the table of functions/OPERATING.md:
//
//   node test/bench/cost.ts
//
// The figures per person and day are those that "npm run bench -- week" measured last, for the four kinds of people.
const SIZES = [1_000, 10_000, 40_000, 100_000];
/** Calls of the Calendar API a day that Google's Standard Tier allows a project. */
const QUOTA = 1_000_000;
const TICKS = 24 * 60;
/** Calendars that one queue message asks to read. */
const PER_MESSAGE = 20;
/** Redis commands of one search (functions/OPERATING.md). */
const COMMANDS = 5;
/** Postgres requests of a swept calendar and of a search. A push takes one. */
const POSTGRES = { sweep: 4, search: 3 };

interface Measured {
  share: number;
  google: number;
  pushes: number;
  /** Times a day that the sweep reads or follows the calendar. */
  swept: number;
  searches: number;
}

const MEASURED: Measured[] = [
  // Idle.
  { share: 0.87, google: 0.15, pushes: 0, swept: 0.15, searches: 0 },
  // Idle, with a meeting ahead.
  { share: 0.03, google: 145.4, pushes: 20.3, swept: 144, searches: 0 },
  // Asked for.
  { share: 0.08, google: 30.1, pushes: 18.7, swept: 10, searches: 10 },
  // Asked for, with a meeting ahead.
  { share: 0.02, google: 172.6, pushes: 20.3, swept: 154, searches: 10 },
];

const average = (of: (one: Measured) => number) => MEASURED.reduce((sum, one) => sum + one.share * of(one), 0);
const thousands = (value: number) => Math.round(value).toLocaleString('en-US');

const rows = SIZES.map((people) => {
  const google = people * average((one) => one.google);
  const swept = people * average((one) => one.swept);
  const searches = people * average((one) => one.searches);
  // Each tick with work sends at least one message.
  const messages = Math.max(Math.min(swept, TICKS), swept / PER_MESSAGE);
  const pushes = people * average((one) => one.pushes);
  const requests = TICKS + messages + searches + pushes;
  return [
    thousands(people),
    `${thousands(google)} (${((100 * google) / QUOTA).toFixed(1)} %)`,
    thousands(TICKS + POSTGRES.sweep * swept + POSTGRES.search * searches + pushes),
    thousands(TICKS + searches * COMMANDS),
    thousands(messages),
    thousands(requests),
  ];
});
const head = [
  'people',
  'Google calls, of the quota',
  'Postgres requests',
  'Redis commands',
  'QStash messages',
  'Workers requests',
];
for (const row of [head, head.map(() => '---'), ...rows]) process.stdout.write(`| ${row.join(' | ')} |\n`);
