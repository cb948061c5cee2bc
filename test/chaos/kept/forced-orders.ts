import type { KeptPlan } from './kept-plan.ts';

export const FORCED_ORDERS: KeptPlan = {
  story:
    'Written by hand: Tandem reads answers while it does not know whether changes were made, and a Worker remembers a key that another one replaced.',
  isForgiving: true,
  waves: [
    // Meetings of both platforms. Each of the answers below is to one of them.
    { cells: [], wanted: ['book 1', 'book 7', 'book 9'], calamities: [] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 1 0'] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 2 0'] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 3 0'] },
    { cells: [], wanted: [], calamities: ['a key that two Workers remember is replaced while nobody uses it 1 0'] },
  ],
};
