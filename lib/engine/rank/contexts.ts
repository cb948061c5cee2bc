import { DAY_MINUTES } from '../time/dates.ts';
import type { DayPart } from '../time/moment.ts';

/** A row of the meeting-context table: what one kind of meeting, such as an interview, requires of its time. */
export interface ContextRow {
  title: string;
  /**
   * Multiplier for each part of the day, such as the morning, which ranks times for this kind of meeting. Both people's
   * clocks count. Above 1 the part suits this kind of meeting, below 1 it does not.
   */
  prefers: Record<DayPart, number>;
  /**
   * The importance of an early time. `first` takes the first common time, `rather` prefers sooner times, and `any`
   * ignores the wait.
   */
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

/**
 * The table of the thirteen meeting contexts. Meetings with outsiders get a day's notice and meetings of colleagues get
 * two hours; an urgent meeting gets 15 minutes (schema/DECISIONS.md, "Meeting contexts").
 */
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

/**
 * The row of the meeting-context table for a meeting without a context. It prefers no part of the day, does not prefer
 * sooner times, and asks for two hours' notice.
 */
const NO_CONTEXT = row('Meeting', [1, 1, 1], 'any', HOURS);

/** Returns the row of the meeting-context table for a context, or the neutral row without one. */
export const contextRow = (context: MeetingContext | undefined): ContextRow =>
  context === undefined ? NO_CONTEXT : CONTEXTS[context];
