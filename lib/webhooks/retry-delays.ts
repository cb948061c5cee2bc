/** Seconds from a failed attempt to the next: the second attempt, the third. */
export const RETRY_DELAYS_SECONDS = [1, 10] as const;
