import type { Control, Edit } from './control.ts';

const SAFEGUARDS: (Edit & { name: string })[] = [
  {
    name: 'a read is of the generation it began with',
    file: 'schema/busy-snapshots/queries.ts',
    from: 'syncedGen: generation,',
    to: 'syncedGen: sql`${busySnapshots.dirtyGen}`,',
  },
  {
    name: 'an answer with errors is unknown, not free',
    file: 'lib/adapters/google-calendar.ts',
    from: 'if (calendar?.busy === undefined || (calendar.errors?.length ?? 0) > 0)',
    to: 'if (calendar?.busy === undefined)',
  },
  {
    name: 'what is read rolls on each day',
    file: 'lib/calendars/snapshot/timing.ts',
    from: 'Math.floor((now - midnight) / DAY) * DAY + midnight',
    to: 'Math.floor((now - midnight) / (60 * DAY)) * 60 * DAY + midnight',
  },
  {
    name: 'a push is believed for its channel’s secret only',
    file: 'schema/watch-channels/queries.ts',
    from: 'eq(watchChannels.tokenHash, tokenHash), ',
    to: 'tokenHash === undefined ? undefined : undefined, ',
  },
];

/** The safeguards of the calendars' snapshots, each switched off. */
export const CALENDARS: Control[] = SAFEGUARDS.map(({ name, ...edit }) => ({
  name,
  edits: [edit],
  suites: ['test/lib/calendars/snapshot-histories.long.test.ts'],
}));
