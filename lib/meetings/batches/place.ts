import { batch } from '../../../schema/db.ts';
import {
  endMeetings,
  keepProgress,
  listToPlan,
  lockBatch,
  placeMeetings,
  type ToPlan,
} from '../../../schema/meetings/batches-run.ts';
import type { BatchReason, PairTimes } from '../../../schema/tables/batches.ts';
import { type PlanState, plannedOf, planSlice, startPlan } from '../../engine/plan/plan.ts';
import type { OpenTime, PlannedPair, RoundLimits } from '../../engine/plan/round.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { type Run, reasonOf } from './batch.ts';

/** Number of steps of the plan in one run. Each run reads all times anew, which takes longer than a few hundred steps. */
const STEPS = 1_000;
/** Priority of meetings that have a place already. It is above all others, so that they keep it. */
const PLACED = 10;

/** Meetings that are placed or booked keep their times. Once the plan is done, every pair has a place or a reason. */
export async function planNext(ctx: Ctx, run: Run): Promise<void> {
  const rows = await listToPlan(ctx.db, run);
  const { maxPerPerson, maxPerDay } = run.batch.options;
  const begun = startPlan(rows.map(pairOf), { perPerson: maxPerPerson, perDay: maxPerDay, ...limitsOf(rows) });
  const kept = keptProgress(run, begun);
  const state = planSlice(kept === undefined ? begun : { ...begun, progress: kept, done: false }, STEPS);
  if (!state.done) {
    await keepProgress(ctx.db, { ...run, progress: state.progress });
    return;
  }
  const { placed, unplaced } = plannedOf(state);
  const open = rows.filter((row) => row.state === 'open');
  const times = open.flatMap(({ position }) => {
    const time = placed.get(nameOf(position));
    return time === undefined ? [] : [{ position, start: time.start, end: time.end }];
  });
  const left = new Set(unplaced);
  const atLimit = fullPeople(rows, placed, maxPerPerson);
  const ended = open
    .filter(({ position }) => left.has(nameOf(position)))
    .map((row) => ({
      position: row.position,
      state: 'unplaced' as const,
      reason: whyUnplaced(row, atLimit, maxPerDay),
    }));
  await batch(ctx.db, {
    lock: lockBatch(ctx.db, run),
    placed: placeMeetings(ctx.db, run, times),
    ended: endMeetings(ctx.db, run, ended),
    progress: keepProgress(ctx.db, { ...run, progress: null }),
  });
}

/** Returns undefined for another version's form: the plan begins anew. Any other has all parts, so the cast is safe. */
function keptProgress({ batch: { progress } }: Run, { progress: fresh }: PlanState): PlanState['progress'] | undefined {
  if (progress === null || Object.keys(fresh).some((part) => !Object.hasOwn(progress, part))) return undefined;
  const kept = progress as PlanState['progress'];
  return kept.placed.length === fresh.placed.length ? kept : undefined;
}

/** Returns a name for a pair of people, so that the plan, which goes by the order of names, keeps the request's order. */
const nameOf = (position: number) => String(position).padStart(5, '0');

function pairOf({ position, requesterEmail, otherEmail, priority, ...row }: ToPlan): PlannedPair {
  const { state, startsAt, endsAt } = row;
  const open = openOf(row.times, row.durationMinutes);
  const isPlaced = state !== 'open' && startsAt !== null && endsAt !== null;
  const place = isPlaced ? openTimeOf(open, startsAt, endsAt) : undefined;
  return {
    reference: nameOf(position),
    people: [requesterEmail, otherEmail],
    priority: place === undefined ? priority : PLACED,
    open: place === undefined ? open : [place],
  };
}

const openOf = (times: PairTimes | null, durationMinutes: number): OpenTime[] =>
  (times?.list ?? []).map(([minute, product, comfort, day, otherDay]) => ({
    start: minute * MINUTE,
    end: (minute + durationMinutes) * MINUTE,
    ...{ product, comfort },
    dates: [String(day), String(otherDay)] as const,
  }));

/** Returns the time that a meeting has. A person may have moved it meanwhile, so it need not be among the open ones. */
const openTimeOf = (open: OpenTime[], start: number, end: number): OpenTime =>
  open.find((time) => time.start === start && time.end === end) ?? {
    ...{ start, end, product: 0, comfort: 0 },
    dates: ['', ''],
  };

/** Returns the buffers of the people, and how many more meetings their days take: the most that any search found. */
function limitsOf(rows: ToPlan[]): Pick<RoundLimits, 'buffers' | 'dailyLimits'> {
  const buffers = new Map<string, number>();
  const dailyLimits = new Map<string, Map<string, number>>();
  for (const { requesterEmail, otherEmail, times } of rows)
    for (const [which, email] of [
      [0, requesterEmail],
      [1, otherEmail],
    ] as const) {
      if (times === null) continue;
      buffers.set(email, Math.max(buffers.get(email) ?? 0, times.buffers[which] * MINUTE));
      const days = dailyLimits.get(email) ?? new Map<string, number>();
      for (const [day, left] of Object.entries(times.left[which])) days.set(day, Math.max(days.get(day) ?? 0, left));
      dailyLimits.set(email, days);
    }
  return { buffers, dailyLimits };
}

function fullPeople(rows: ToPlan[], placed: ReadonlyMap<string, OpenTime>, most: number | undefined): Set<string> {
  const people = rows.flatMap(({ position, requesterEmail, otherEmail }) =>
    placed.has(nameOf(position)) ? [requesterEmail, otherEmail] : [],
  );
  const counts = Map.groupBy(people, (email) => email);
  return new Set(
    [...counts].flatMap(([email, all]) => (all.length >= (most ?? Number.POSITIVE_INFINITY) ? email : [])),
  );
}

function whyUnplaced(
  { requesterEmail, otherEmail, times }: ToPlan,
  atLimit: ReadonlySet<string>,
  maxPerDay: number | undefined,
): BatchReason {
  if (atLimit.has(requesterEmail) || atLimit.has(otherEmail))
    return {
      ...reasonOf(
        'ROUND_LIMIT',
        'One of the two people has as many meetings of this batch as `max_per_person` allows.',
      ),
      suggestions: ['Send a larger `max_per_person`.'],
    };
  const count = times?.list.length ?? 0;
  const which = count === 1 ? 'The one time that suits' : 'All times that suit';
  const orTooMany = maxPerDay === undefined ? '' : ', or be one more on a day than `max_per_day` allows';
  return {
    ...reasonOf('TIMES_TAKEN', `${which} both people would collide with other meetings of this batch${orTooMany}.`),
    suggestions: [
      ...(maxPerDay === undefined ? [] : ['Send a larger `max_per_day`.']),
      'Send a longer `date_range`.',
      'Give this meeting a higher `priority`.',
    ],
  };
}
