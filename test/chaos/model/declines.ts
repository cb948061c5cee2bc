import type { Act, Trace } from '../trace.ts';

export const isDecline = ({ kind, response }: Pick<Act, 'kind' | 'response'>) =>
  kind === 'answered' && response === 'declined';

/** The declines of an event, by one person or by anybody. */
export const declinesOf = (eventId: string | undefined, { acts }: Trace, email?: string): Act[] =>
  acts.filter((act) => isDecline(act) && act.eventId === eventId && (email === undefined || act.email === email));

/** A platform that cancels declined meetings may have cancelled this one for a decline, unasked. */
export const isCancelledForDecline = (platform: string, eventId: string | undefined, trace: Trace): boolean =>
  trace.cancelling.includes(platform) && declinesOf(eventId, trace).length > 0;
