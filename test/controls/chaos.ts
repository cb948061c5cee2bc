import { BY_HAND } from '../chaos/plan.ts';
import type { Control } from './control.ts';

/** History that needs every one of these safeguards. It was written by hand: made from a seed, it would need luck. */
export const CHAOS_SEEDS = String(BY_HAND);

const SAFEGUARDS = [
  {
    name: 'an answer is stored with its event while a change of the meeting is unfinished',
    file: 'schema/meetings/event-answers.ts',
    from: 'where own.id = ${meetingId} and ${guard}',
    to: 'where own.id = ${meetingId} and ${guard} and ${isSettled(sql`own.provider_event_id`)}',
    says: 'as needsAction, the calendar',
  },
  {
    name: 'a read is answered once its remembered key is checked',
    file: 'functions/middleware/auth.ts',
    from: '    await next();\n    await admitted;',
    to: '    await next();',
    says: 'accepted a key after it was replaced',
  },
  {
    name: 'an accepted proposal frees its other times',
    file: 'schema/meetings/proposals-accept.ts',
    from: '  db.delete(holds).where(and(eq(holds.proposalId, proposalId), isNull(holds.meetingId), guard)),\n',
    to: '',
    says: 'is released and has',
  },
  {
    name: 'an acceptance that was undone gives the proposal back',
    file: 'lib/meetings/protocol/operation.ts',
    from: "...(intent.kind === 'book' && intent.proposal ? returnProposal(ctx.db, { meetingId, now, guard }) : []),",
    to: '',
    says: 'is still kept for',
  },
  {
    name: 'an acceptance reads both calendars once more',
    file: 'lib/meetings/verbs/still-free.ts',
    from: '  await assertStillFree(ctx, people, span, { ...look,',
    to: '  if (accepts === undefined) await assertStillFree(ctx, people, span, { ...look,',
    says: 'had become busy',
  },
  {
    name: 'a batch books only what is still free in both calendars',
    file: 'lib/meetings/batches/run.ts',
    from: '    limits: limitsAt(pair, start),\n    known: { people: pair, live: [] },\n',
    to: '    limits: undefined,\n',
    says: 'was booked although',
  },
];

/** Safeguards without which whole histories end wrong, each with the edit that switches it off. */
export const CHAOS: Control[] = SAFEGUARDS.map(({ name, says, ...edit }) => ({
  name,
  says,
  edits: [edit],
  suites: ['test/chaos/chaos.test.ts'],
}));
