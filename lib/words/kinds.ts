import type { MeetingContext } from '../engine/rank/contexts.ts';

/** Names of the kinds of meetings (contexts), such as "an investor call", for use within a sentence. */
export const KIND: Record<MeetingContext, string> = {
  warm_intro: 'an introduction',
  cold_outreach: 'a first call',
  investor_call: 'an investor call',
  client_demo: 'a demo',
  team_standup: 'a standup',
  one_on_one: 'a one-on-one',
  interview: 'an interview',
  sales_call: 'a sales call',
  strategy_session: 'a strategy session',
  brainstorm: 'a brainstorm',
  review: 'a review',
  casual_chat: 'a chat',
  urgent: 'an urgent meeting',
};
