/** What a meeting context prefers: a multiplier for each part of the requester's day, and for some the soonest time. */
export interface ContextRow {
  title: string;
  morning: number;
  afternoon: number;
  evening: number;
  soonest: boolean;
}

function row(title: string, morning: number, afternoon: number, evening: number, soonest = false): ContextRow {
  return { title, morning, afternoon, evening, soonest };
}

/** The thirteen meeting contexts. */
export const CONTEXTS = {
  warm_intro: row('Introduction', 1.1, 1, 0.8),
  cold_outreach: row('Introductory call', 1.1, 1, 0.7),
  investor_call: row('Investor call', 1.3, 0.9, 0.7),
  client_demo: row('Demo', 1.1, 1.1, 0.7),
  team_standup: row('Standup', 1, 1, 1),
  one_on_one: row('1:1', 1, 1.1, 0.9),
  interview: row('Interview', 1.2, 1.1, 0.7),
  sales_call: row('Sales call', 1.1, 1.1, 0.8),
  strategy_session: row('Strategy session', 1.2, 1, 0.7),
  brainstorm: row('Brainstorm', 1.2, 0.9, 0.7),
  review: row('Review', 1, 1.2, 0.8),
  casual_chat: row('Chat', 0.9, 1.2, 1.1),
  urgent: row('Urgent meeting', 1, 1, 1, true),
} as const satisfies Record<string, ContextRow>;

export type MeetingContext = keyof typeof CONTEXTS;
