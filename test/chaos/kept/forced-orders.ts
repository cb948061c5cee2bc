import type { KeptPlan } from './kept-plan.ts';

export const FORCED_ORDERS: KeptPlan = {
  story:
    'Written by hand: Tandem reads answers while it does not know whether changes were made, a Worker remembers a key that another one replaced, times are accepted after a calendar filled up and while the Worker dies, and a dry run is committed after a calendar filled up.',
  isForgiving: true,
  waves: [
    // Meetings of both platforms. Each of the answers below is to one of them.
    { cells: [], wanted: ['book 1', 'book 7', 'book 9'], calamities: [] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 1 0'] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 2 0'] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 3 0'] },
    { cells: [], wanted: [], calamities: ['a key that two Workers remember is replaced while nobody uses it 1 0'] },
    // Proposals of one to three times, by different people.
    { cells: [], wanted: ['propose 2', 'propose 3', 'propose 5'], calamities: [] },
    { cells: [], wanted: ['propose 6', 'propose 8', 'propose 11'], calamities: [] },
    { cells: [], wanted: [], calamities: ['a held time is accepted after a calendar filled up 1 0'] },
    { cells: [], wanted: [], calamities: ['a held time is accepted 2 0'] },
    { cells: [], wanted: [], calamities: ['a held time is accepted 3 0'] },
    { cells: ['accept | B | dies before'], wanted: [], calamities: ['a held time is accepted 4 0'] },
    // Dry runs of both platforms.
    { cells: [], wanted: ['batch 1', 'batch 32', 'batch 33'], calamities: [] },
    { cells: [], wanted: [], calamities: ['a dry run is committed after a calendar filled up 1 0'] },
    {
      cells: ['round | B | dies before'],
      wanted: [],
      calamities: ['a dry run is committed after a calendar filled up 2 0'],
    },
  ],
};
