import { DAY_MINUTES } from '../time/dates.ts';
import type { DayPart } from '../time/moment.ts';

export interface ContextRow {
  title: string;
  /** Ranks times for this kind of meeting on both people's clocks. Above 1 the part suits it, below 1 it does not. */
  prefers: Record<DayPart, number>;
  /** `first` takes the first common time, `rather` prefers sooner times, and `any` ignores the wait. */
  soon: 'first' | 'rather' | 'any';
  /** The minimum time between the booking and the start of the meeting, in minutes. */
  notice: number;
}

const QUARTER = 15;
const HOURS = 2 * 60;

function row(
  title: string,
  [morning, afternoon, evening]: [number, number, number],
  soon: ContextRow['soon'],
  notice: number,
): ContextRow {
  return { title, prefers: { morning, afternoon, evening }, soon, notice };
}

/** Outsiders get a day's notice, colleagues two hours, urgent 15 minutes (schema/DECISIONS.md, "Meeting contexts"). */
export const CONTEXTS = {
  warm_intro: row('Introduction', [1.1, 1, 0.8], 'rather', DAY_MINUTES),
  cold_outreach: row('Introductory call', [1.1, 1, 0.7], 'rather', DAY_MINUTES),
  investor_call: row('Investor call', [1.3, 0.9, 0.7], 'rather', DAY_MINUTES),
  client_demo: row('Demo', [1.1, 1.1, 0.7], 'rather', DAY_MINUTES),
  team_standup: row('Standup', [1, 1, 1], 'any', HOURS),
  one_on_one: row('1:1', [1, 1.1, 0.9], 'any', HOURS),
  interview: row('Interview', [1.2, 1.1, 0.7], 'rather', DAY_MINUTES),
  sales_call: row('Sales call', [1.1, 1.1, 0.8], 'rather', DAY_MINUTES),
  strategy_session: row('Strategy session', [1.2, 1, 0.7], 'any', DAY_MINUTES),
  brainstorm: row('Brainstorm', [1.2, 0.9, 0.7], 'any', HOURS),
  review: row('Review', [1, 1.2, 0.8], 'rather', HOURS),
  casual_chat: row('Chat', [0.9, 1.2, 1.1], 'any', HOURS),
  urgent: row('Urgent meeting', [1, 1, 1], 'first', QUARTER),
} as const satisfies Record<string, ContextRow>;

export type MeetingContext = keyof typeof CONTEXTS;
export const MEETING_CONTEXTS = Object.keys(CONTEXTS) as MeetingContext[];

/** A meeting without a context prefers no part of the day and no sooner time, and has two hours' notice. */
const NO_CONTEXT = row('Meeting', [1, 1, 1], 'any', HOURS);

export const contextRow = (context: MeetingContext | undefined): ContextRow =>
  context === undefined ? NO_CONTEXT : CONTEXTS[context];
