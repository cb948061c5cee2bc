import { CONTEXTS, type MeetingContext } from '../scheduling/contexts.ts';
import { MINUTE } from '../scheduling/dates.ts';
import type { Explanation } from '../scheduling/explain-time.ts';
import { KIND } from './kinds.ts';
import { lasting } from './people.ts';

const PASSED_OVER = {
  overlaps_an_offered_slot: 'It overlaps a time that is offered.',
  better_slots_first: 'Five better ones are offered.',
  equal_slots_first: 'Times as good on other days or parts of the day are offered.',
};

/** How a free time ranks, why, and whether it is offered: a few sentences. */
export function sayPlace({
  rank,
  candidates,
  offered,
  passedOver,
  slot,
}: Extract<Explanation, { free: true }>): string {
  const place =
    candidates === 1 ? 'Free for both, the only such time' : `Free for both, number ${rank} of ${candidates}`;
  const shown = offered || passedOver === undefined ? 'It is among those offered.' : PASSED_OVER[passedOver];
  return `${place}. ${slot.reason} ${shown}`;
}

/** The rules against a time, each with whose it is. */
export const sayAgainst = (against: Explanation['against']) =>
  against.map(({ email, detail }) => (email === null ? detail : `${email}: ${detail}`)).join(' ');

/** Whether a time leaves the notice that automatic scheduling wants for a kind of meeting. */
export function sayNotice(context: MeetingContext, start: number, now: number): string {
  const { notice } = CONTEXTS[context];
  const wanted = `Automatic scheduling wants ${lasting(notice)}'s notice for ${KIND[context]}`.replace("s's", "s'");
  return start >= now + notice * MINUTE
    ? `${wanted}; this time leaves it.`
    : `${wanted}; this time comes sooner, and is picked only where nothing is free with that notice.`;
}
