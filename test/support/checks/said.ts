import type { Answer } from '../client.ts';

type Said = Pick<Answer, 'status' | 'text'>;

/** Refusals of the moment, never kept. */
const PASSING = ['idempotency_in_progress', 'meeting_busy'];

/** Whether it says that another request has the key or the meeting in hand. */
export const isPassing = ({ status, text }: Said) => status === 409 && PASSING.some((code) => text.includes(code));

/** Whether an answer is kept under its key and so the same for good. */
export const isKept = (answer: Said) => answer.status < 300 || (answer.status === 409 && !isPassing(answer));

/** Whether an answer is the operation's own: asking again at once gains a client nothing. */
export const isFinal = (answer: Said) => answer.status === 404 || isKept(answer);

/** The meeting an answer names. */
export const meetingIdIn = (text: string): string | undefined =>
  /"(?:meeting_id|new_meeting_id)":"(\w+)"/.exec(text)?.[1];

/** Whether a client that asks again gets nothing else: the operation's own answer, or a refusal that it must mend first. */
export const isSettled = (answer: Said): boolean => isFinal(answer) || (answer.status < 429 && !isPassing(answer));
