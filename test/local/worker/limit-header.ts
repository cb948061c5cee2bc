/** On a call: when its caller hangs up, by the world's clock. On an answer: that time has passed; the clock's new offset. */
export const LIMIT_HEADER = 'x-world-limit';
