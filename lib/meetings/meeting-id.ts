/** Whether a text can be an id of ours at all; others need no asking. */
export const isMeetingId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);
