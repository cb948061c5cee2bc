/**
 * Header that carries time limits. On a call, it has the time at which the caller gives up, by the world's clock. On an
 * answer, it says that this time has passed and has the clock's new offset.
 */
export const LIMIT_HEADER = 'x-world-limit';
