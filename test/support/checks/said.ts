import type { Answer } from '../worlds/client.ts';

type Said = Pick<Answer, 'status' | 'text'>;

/** Codes of temporary refusals, which are never kept under a key. */
const PASSING = ['idempotency_in_progress', 'meeting_busy', 'proposal_busy'];

/** Returns true if an answer says that another request is using the key or the meeting. */
export const isPassing = ({ status, text }: Said) => status === 409 && PASSING.some((code) => text.includes(code));

/** Codes of refusals that end once a person has set a zone, or has given the calendar back its rights. */
const MENDABLE = ['unknown_time_zone', 'calendar_refused'];
const isMendable = ({ status, text }: Said) => status === 409 && MENDABLE.some((code) => text.includes(code));

/** Returns true if an answer is kept under its key, so it never changes. */
export const isKept = (answer: Said) =>
  answer.status < 300 || (answer.status === 409 && !isPassing(answer) && !isMendable(answer));

/** Returns true if an answer is the operation's own, so an immediate retry gains the client nothing. */
export const isFinal = (answer: Said) => answer.status === 404 || isKept(answer);

export const meetingIdIn = (text: string): string | undefined =>
  /"(?:meeting_id|new_meeting_id)":"(\w+)"/.exec(text)?.[1];

/**
 * Returns true if a retry gets the same answer: the operation's own, or a refusal whose cause the client must fix
 * first.
 */
export const isSettled = (answer: Said): boolean => isFinal(answer) || (answer.status < 429 && !isPassing(answer));
