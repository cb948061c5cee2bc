import type { Control } from './control.ts';

/**
 * Seeds whose histories need every one of these safeguards. Which request is first depends on the machine: without the
 * first safeguard, seed 1314 went wrong in 3 of 13 plays. It is therefore played twelve times.
 */
export const CHAOS_SEEDS = ['718', ...Array(12).fill('1314'), '5652'].join();

const SAFEGUARDS = [
  {
    name: 'an answer is stored with its event while a change of the meeting is unfinished',
    file: 'schema/event-answers/queries.ts',
    from: 'where ${users.id} = ${userId} and ${guard}',
    to: 'where ${users.id} = ${userId} and ${guard} and ${isSettled(sql`${eventId}::text`)}',
  },
  {
    name: 'a read is answered once its remembered key is checked',
    file: 'functions/middleware/auth.ts',
    from: '    await next();\n    await admitted;',
    to: '    await next();',
  },
];

/** Safeguards without which whole histories end wrong, each with the edit that switches it off. */
export const CHAOS: Control[] = SAFEGUARDS.map(({ name, ...edit }) => ({
  name,
  edits: [edit],
  suites: ['test/chaos/chaos.test.ts'],
}));
