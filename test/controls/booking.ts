import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runVitest } from './run-vitest.ts';

// Switches off one safeguard of booking at a time, in a temporary copy, and shows that the suites turn red each time.

interface Edit {
  file: string;
  from: string;
  to: string;
}

interface Safeguard extends Edit {
  name: string;
  /** What would do the same work is switched off with it. */
  also?: Edit;
  /** The test files that are meant to miss it. */
  suite: string;
}

const MIGRATIONS = 'schema/migrations';
const QUEUE: Edit = {
  file: 'schema/meetings/reserve-queries.ts',
  from: '...(isExclusive ? [lockPeople(db, { meetingId: meeting.id })] : []),',
  to: '...(isExclusive ? [lockPeople(db, { meetingId: meeting.owner })] : []),',
};
const PENDING_BOOKING = `insertPendingOperation(db, {
      meetingId: meeting.id,
      platformId,
      kind: 'book',
      intent: meeting.intent,
      dueAt: meeting.leaseUntil,
      now: meeting.now,
    }),`;
const RUN: Edit = {
  file: 'schema/jobs/queries.ts',
  from: 'j.owner = ${run} and',
  to: '${run}::text is not null or',
};
const SAFEGUARDS: Safeguard[] = [
  {
    name: 'the exclusion constraint',
    file: `${MIGRATIONS}/0000_init.sql`,
    from: 'ALTER TABLE "holds" ADD CONSTRAINT "holds_no_overlap" EXCLUDE USING gist ("user_id" WITH =, "during" WITH &&, "event_id" WITH <>) WHERE ("exclusive");',
    to: 'SELECT 1;',
    also: QUEUE,
    suite: 'test/races/slots.test.ts',
  },
  { name: 'exclusive bookings queue for their people', ...QUEUE, suite: 'test/races/slots.test.ts' },
  {
    name: 'an exclusive hold meets no live one',
    file: `${MIGRATIONS}/0000_init.sql`,
    from: 'CONSTRAINT "hold_is_free" CHECK (not "holds"."exclusive" or "holds"."conflicts" = 0)',
    to: 'CONSTRAINT "hold_is_free" CHECK (true)',
    suite: 'test/races/slots.test.ts',
  },
  {
    name: 'an exclusive hold keeps its distance',
    file: 'schema/holds/queries.ts',
    from: 'h.during && l.reach',
    to: `h.during && ${'${during}'}`,
    suite: 'test/races/limits.test.ts',
  },
  {
    name: 'a full day takes no exclusive hold',
    file: `${MIGRATIONS}/0000_init.sql`,
    from: 'CONSTRAINT "hold_within_day" CHECK ("holds"."left_on_day" >= 0)',
    to: 'CONSTRAINT "hold_within_day" CHECK (true)',
    suite: 'test/races/limits.test.ts',
  },
  {
    name: 'the quota’s check',
    file: `${MIGRATIONS}/0000_init.sql`,
    from: ' and ("usage"."quota" is null or "usage"."used" <= "usage"."quota")',
    to: '',
    suite: 'test/races/quota.test.ts',
  },
  {
    name: 'one meeting a job',
    file: `${MIGRATIONS}/0000_init.sql`,
    from: 'CREATE UNIQUE INDEX "meetings_one_per_job"',
    to: 'CREATE INDEX "meetings_one_per_job"',
    also: RUN,
    suite: 'test/races/slots.test.ts',
  },
  { name: 'a run books for a job it has', ...RUN, suite: 'test/races/slots.test.ts' },
  {
    name: 'the owner token of a change',
    file: 'schema/meetings/lease-queries.ts',
    from: '${meetings.id} = ${id} and ${meetings.owner} = ${owner} and',
    to: '${meetings.id} = ${id} and ${owner}::text is not null and',
    suite: 'test/races/sweep.test.ts',
  },
  {
    name: 'the owner token of what follows a change',
    file: 'schema/meetings/finish-queries.ts',
    from: 'm.owner = ${owner} and m.lease_until is null',
    to: '${owner}::text is not null and m.lease_until is null',
    suite: 'test/races/changes.test.ts',
  },
  {
    name: 'a meeting in other hands is not claimed',
    file: 'schema/meetings/lease-queries.ts',
    from: 'isNull(meetings.leaseUntil),',
    to: '',
    suite: 'test/races/changes.test.ts',
  },
  {
    name: 'the event’s id is derived, the same at each try',
    file: 'lib/meetings/calendar-event.ts',
    from: 'insertEvent(token, event)',
    to: "insertEvent(token, { ...event, id: crypto.randomUUID().replaceAll('-', '') })",
    suite: 'test/flows/lost-answers.test.ts',
  },
  {
    name: 'an event that is there already is taken',
    file: 'lib/meetings/calendar-event.ts',
    from: "|| error.kind !== 'duplicate'",
    to: '|| true',
    suite: 'test/flows/lost-answers.test.ts',
  },
  {
    name: 'the pending operation of a booking',
    file: 'schema/meetings/reserve-queries.ts',
    from: PENDING_BOOKING,
    to: '',
    suite: 'test/flows/crash-bookings.long.test.ts',
  },
  {
    name: 'the reconciliation of a change',
    file: 'lib/meetings/reconcile.ts',
    from: 'await commitUpdate(ctx, { lease, intent }, told, event);',
    to: 'await (lease.owner === meeting.id && commitUpdate(ctx, { lease, intent }, told, event));',
    suite: 'test/flows/crash-changes.long.test.ts',
  },
  {
    name: 'the delayed verification after giving up',
    file: 'lib/meetings/operation.ts',
    from: 'verifyAt === undefined ?',
    to: 'verifyAt === undefined || isBooking ?',
    suite: 'test/races/sweep.test.ts',
  },
  {
    name: 'the key’s claim',
    file: 'lib/meetings/schedule.ts',
    from: '...(idempotency ?',
    to: '...(idempotency && Date.now() < 0 ?',
    suite: 'test/races/one-key.test.ts',
  },
  {
    name: 'a usage line is told by whoever reaches it',
    file: 'schema/usage/queries.ts',
    from: 'confirmed >= ${threshold}',
    to: 'confirmed > ${threshold}',
    suite: 'test/races/quota.test.ts',
  },
];

const ENV = {
  TEST_DATABASE: 'tandem_controls',
  TEST_POSTGRES: process.env.TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  TEST_REDIS: process.env.TEST_REDIS ?? 'redis://127.0.0.1:6379',
};
/** Only the safeguards whose name contains this, when given. */
const ONLY = process.argv[2] ?? '';
const root = resolve(import.meta.dirname, '../..');
const copy = await mkdtemp(join(tmpdir(), 'tandem-booking-'));
try {
  for (const path of ['functions', 'lib', 'schema', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    await cp(join(root, path), join(copy, path), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const chosen = SAFEGUARDS.filter(({ name }) => name.includes(ONLY));
  const suites = [...new Set(chosen.map(({ suite }) => suite))];
  const whole = await runVitest(copy, suites, ENV);
  console.log(
    `${whole.failed === 0 ? 'green' : 'RED'}  nothing switched off${whole.failed === 0 ? '' : `: ${whole.first}`}`,
  );
  const survivors: string[] = [];
  for (const safeguard of chosen) {
    const { failed, first } = await runWithout(safeguard);
    if (failed === 0) survivors.push(safeguard.name);
    console.log(failed === 0 ? `GREEN  ${safeguard.name}` : `red    ${safeguard.name}: ${first}`);
  }
  console.log(
    `${chosen.length - survivors.length} of ${chosen.length} safeguards turned the suites red when switched off`,
  );
  process.exitCode = whole.failed === 0 && survivors.length === 0 ? 0 : 1;
} finally {
  await rm(copy, { recursive: true });
}

async function runWithout({ suite, also, ...safeguard }: Safeguard) {
  const restore = [await edit(safeguard), ...(also ? [await edit(also)] : [])];
  const result = await runVitest(copy, [suite], ENV);
  for (const undo of restore) await undo();
  return result;
}

async function edit({ file, from, to }: Edit): Promise<() => Promise<void>> {
  const path = join(copy, file);
  const source = await readFile(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`"${from}" must match exactly one place of ${file}`);
  await writeFile(
    path,
    source.replace(from, () => to),
  );
  return () => writeFile(path, source);
}
