import { controlsOf, type Edit } from './control.ts';

const MIGRATIONS = 'schema/migrations';
const QUEUE: Edit = {
  file: 'schema/meetings/reserve.ts',
  from: '...(isExclusive ? [lockPeople(db, { meetingId: meeting.id })] : []),',
  to: '...(isExclusive ? [lockPeople(db, { meetingId: meeting.owner })] : []),',
};
const PENDING_BOOKING = `db
      .insert(pendingOperations)
      .values({ eventId, platformId, kind: 'book', intent, dueAt: leaseUntil, createdAt: now }),`;
const RUN: Edit = { file: 'schema/meetings/jobs.ts', from: 'j.owner = ${run} and', to: '${run}::text is not null or' };
export const BOOKING = controlsOf(
  {
    'the exclusion constraint': {
      file: `${MIGRATIONS}/0000_init.sql`,
      from: 'ALTER TABLE "holds" ADD CONSTRAINT "holds_no_overlap" EXCLUDE USING gist ("user_id" WITH =, "during" WITH &&, "event_id" WITH <>) WHERE ("exclusive");',
      to: 'SELECT 1;',
      also: QUEUE,
    },
    'exclusive bookings queue for their people': { ...QUEUE },
    'an exclusive hold meets no live one': {
      file: `${MIGRATIONS}/0000_init.sql`,
      from: 'CONSTRAINT "hold_is_free" CHECK (not "holds"."exclusive" or "holds"."conflicts" = 0)',
      to: 'CONSTRAINT "hold_is_free" CHECK (true)',
    },
    'an exclusive hold keeps its distance': {
      file: 'schema/meetings/holds.ts',
      from: 'h.during && l.reach',
      to: `h.during && ${'${during}'}`,
      suite: 'test/races/quota.test.ts',
    },
    'a full day takes no exclusive hold': {
      file: `${MIGRATIONS}/0000_init.sql`,
      from: 'CONSTRAINT "hold_within_day" CHECK ("holds"."left_on_day" >= 0)',
      to: 'CONSTRAINT "hold_within_day" CHECK (true)',
      suite: 'test/races/quota.test.ts',
    },
    'an accepted time needs room on its day': {
      file: 'lib/meetings/verbs/schedule.ts',
      from: '      if (refusal !== undefined) throw refusal;',
      to: '      if (refusal !== undefined && around.length < 0) throw refusal;',
    },
    'the quota’s check': {
      file: `${MIGRATIONS}/0000_init.sql`,
      from: ' and ("usage"."quota" is null or "usage"."used" <= "usage"."quota")',
      to: '',
      suite: 'test/races/quota.test.ts',
    },
    'one meeting a job': {
      file: `${MIGRATIONS}/0000_init.sql`,
      from: 'CREATE UNIQUE INDEX "meetings_one_per_job"',
      to: 'CREATE INDEX "meetings_one_per_job"',
      also: RUN,
    },
    'a run books for a job it has': { ...RUN },
    'the owner token of a change': {
      file: 'schema/meetings/lease.ts',
      from: '${meetings.id} = ${id} and ${meetings.owner} = ${owner} and',
      to: '${meetings.id} = ${id} and ${owner}::text is not null and',
      suite: 'test/races/sweep.test.ts',
    },
    'the owner token of what follows a change': {
      file: 'schema/meetings/finish.ts',
      from: 'm.owner = ${owner} and m.lease_until is null',
      to: '${owner}::text is not null and m.lease_until is null',
      suite: 'test/races/changes.test.ts',
    },
    'a meeting in other hands is not leased': {
      file: 'schema/meetings/lease.ts',
      from: 'isNull(meetings.leaseUntil),',
      to: '',
      suite: 'test/races/changes.test.ts',
    },
    'the work is locked with its meeting when it is taken over': {
      file: 'schema/meetings/lease.ts',
      from: 'of: [pendingOperations, meetings]',
      to: 'of: [meetings]',
      suite: 'test/races/sweep.test.ts',
    },
    'what is to be done once more is not done yet': {
      file: 'schema/meetings/pending-operations.ts',
      from: 'db.delete(pendingOperations).where(and(named(name), eq(pendingOperations.dueAt, dueAt), guard));',
      to: 'db.delete(pendingOperations).where(and(named(name), dueAt > 0 ? guard : undefined));',
      suite: 'test/functions/meetings/followed-changes.long.test.ts',
    },
    'an answer belongs to the event, whoever changes its meeting meanwhile': {
      file: 'schema/meetings/event-answers.ts',
      from: 'where own.id = ${meetingId} and ${guard}',
      to: 'where own.id = ${meetingId} and ${guard} and ${isSettled(sql`own.provider_event_id`)}',
      suite: 'test/functions/meetings/followed-orders.long.test.ts',
    },
    'a deletion and what names its person wait for each other': {
      file: 'schema/access/people.ts',
      from: "orderBy(users.id).for('key share')",
      to: 'orderBy(users.id)',
      suite: 'test/races/erasures.test.ts',
    },
    'an answer waits for a deletion, so it is not taken from counters that the deletion has removed': {
      file: 'lib/meetings/follow/follow-calendar.ts',
      from: '    ...(hasAnswers && { kept: keepFromErasure(ctx.db, answered) }),\n',
      to: '',
      suite: 'test/races/erasures.test.ts',
    },
    'a changed pair takes its place in the quota': {
      file: 'lib/meetings/protocol/claim.ts',
      from: 'guard: usesQuota({ meetingId: lease.id, usageMonth: pair.usageMonth })',
      to: 'guard: usesQuota({ meetingId: pair.plan, usageMonth: pair.usageMonth })',
      suite: 'test/races/quota.test.ts',
    },
    'the event’s id is derived, the same at each try': {
      file: 'lib/meetings/protocol/calendar-event.ts',
      from: 'insertEvent(token, event)',
      to: "insertEvent(token, { ...event, id: crypto.randomUUID().replaceAll('-', '') })",
      suite: 'test/flows/lost-answers.test.ts',
    },
    'an event that is there already is taken': {
      file: 'lib/meetings/protocol/calendar-event.ts',
      from: "|| error.kind !== 'duplicate'",
      to: '|| true',
      suite: 'test/flows/lost-answers.test.ts',
    },
    'the pending operation of a booking': {
      file: 'schema/meetings/reserve.ts',
      from: PENDING_BOOKING,
      to: '',
      suite: 'test/flows/crash-meetings.long.test.ts',
    },
    'the reconciliation of a change': {
      file: 'lib/meetings/protocol/reconcile.ts',
      from: 'await commitUpdate(ctx, { lease, intent }, meeting, event);',
      to: 'await (lease.owner === meeting.id && commitUpdate(ctx, { lease, intent }, meeting, event));',
      suite: 'test/flows/crash-meetings.long.test.ts',
    },
    'the delayed verification after giving up': {
      file: 'lib/meetings/protocol/operation.ts',
      from: 'verifyAt === undefined ?',
      to: 'verifyAt === undefined || isBooking ?',
      suite: 'test/races/sweep.test.ts',
    },
    'the key’s claim': {
      file: 'lib/meetings/verbs/schedule.ts',
      from: '...(idempotency && {',
      to: '...(idempotency && Date.now() < 0 && {',
      suite: 'test/races/quota.test.ts',
    },
    'the fence comes first: the meeting’s row before what follows its end': {
      file: 'schema/meetings/finish.ts',
      from: 'const all = await db.batch([kept, ...first, lock, ...before, row, ...follow, ...after, ...(last ?? [])]);',
      to: `const late = (await db.batch([kept, ...first, ...before, ...follow, ...after, ...(last ?? []), row, lock] as never)) as unknown[];
  const at = 1 + first.length;
  const changed = [...late.slice(at, at + before.length), late.at(-2), ...late.slice(at + before.length, -2)];
  const all = [...late.slice(0, at), late.at(-1), ...changed];`,
      also: {
        file: 'schema/meetings/finish.ts',
        from: 'where m.id = ${id} and m.owner = ${owner} and m.lease_until is null)',
        to: 'where m.id = ${id} and m.owner = ${owner})',
      },
      suite: 'test/races/changes.test.ts',
    },
    'a meeting that changes counts once: what it counted as is taken back': {
      file: 'schema/meetings/finish.ts',
      from: '[uncountMeetings(db, { ...counted, guard: isHeldBy(lease) })]',
      to: '[]',
      suite: 'test/races/changes.test.ts',
    },
    'the fence comes first: the end of a lease before its key’s': {
      file: 'lib/meetings/protocol/operation.ts',
      from: `endLease(ctx.db, { ...lease, now }),
    endKeyLease(ctx.db, { ...keyOf(operation), now, guard: isHeldBy(lease) }),`,
      to: `endKeyLease(ctx.db, { ...keyOf(operation), now, guard: isHeldBy(lease) }),
    endLease(ctx.db, { ...lease, now }),`,
      suite: 'test/races/sweep.test.ts',
    },
    'a usage line is told by whoever reaches it': {
      file: 'schema/access/usage.ts',
      from: 'confirmed >= ${threshold}',
      to: 'confirmed > ${threshold}',
      suite: 'test/races/quota.test.ts',
    },
  },
  'test/races/slots.test.ts',
);
