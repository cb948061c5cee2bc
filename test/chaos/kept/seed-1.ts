import type { KeptPlan } from './kept-plan.ts';

export const SEED_1: KeptPlan = {
  story:
    'Drawn by hand: a booking reaches the calendar minutes after its Worker gave it up and the sweep undid it, and the delayed verification takes it back.',
  isForgiving: true,
  waves: [
    { cells: ['book | B | comes too late'], wanted: ['book 11'], calamities: [] },
    { cells: [], wanted: ['search 12'], calamities: ['the clock jumps 7 0'] },
    { cells: [], wanted: ['sweep 13'], calamities: [] },
  ],
};
