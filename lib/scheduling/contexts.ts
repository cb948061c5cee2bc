import type { DayPart } from './moment.ts';

/** What a kind of meeting wants of its time. */
export interface ContextRow {
  title: string;
  /** How each part of the requester's day suits it. */
  prefers: Record<DayPart, number>;
  /** How much soon matters: the first common time, rather sooner, or no matter when. */
  soon: 'first' | 'rather' | 'any';
  /** How long before it the two want to know, minutes. */
  notice: number;
}

const QUARTER = 15;
const HOURS = 2 * 60;
const DAY = 24 * 60;

function row(
  title: string,
  [morning, afternoon, evening]: [number, number, number],
  soon: ContextRow['soon'],
  notice: number,
): ContextRow {
  return { title, prefers: { morning, afternoon, evening }, soon, notice };
}

/** The thirteen meeting contexts: people from outside get a day's notice, colleagues two hours (decisions, Scheduling). */
export const CONTEXTS = {
  warm_intro: row('Introduction', [1.1, 1, 0.8], 'rather', DAY),
  cold_outreach: row('Introductory call', [1.1, 1, 0.7], 'rather', DAY),
  investor_call: row('Investor call', [1.3, 0.9, 0.7], 'rather', DAY),
  client_demo: row('Demo', [1.1, 1.1, 0.7], 'rather', DAY),
  team_standup: row('Standup', [1, 1, 1], 'any', HOURS),
  one_on_one: row('1:1', [1, 1.1, 0.9], 'any', HOURS),
  interview: row('Interview', [1.2, 1.1, 0.7], 'rather', DAY),
  sales_call: row('Sales call', [1.1, 1.1, 0.8], 'rather', DAY),
  strategy_session: row('Strategy session', [1.2, 1, 0.7], 'any', DAY),
  brainstorm: row('Brainstorm', [1.2, 0.9, 0.7], 'any', HOURS),
  review: row('Review', [1, 1.2, 0.8], 'rather', HOURS),
  casual_chat: row('Chat', [0.9, 1.2, 1.1], 'any', HOURS),
  urgent: row('Urgent meeting', [1, 1, 1], 'first', QUARTER),
} as const satisfies Record<string, ContextRow>;

export type MeetingContext = keyof typeof CONTEXTS;

/** A meeting of which nothing is said is neither urgent nor with people from outside. */
const NO_CONTEXT = row('Meeting', [1, 1, 1], 'any', HOURS);

/** The row of a context, or of a meeting that has none. */
export const contextRow = (context: MeetingContext | undefined): ContextRow =>
  context === undefined ? NO_CONTEXT : CONTEXTS[context];
