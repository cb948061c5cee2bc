/** The runtime's own pause (developers.cloudflare.com/workers/runtime-apis/scheduler). */
declare const scheduler: { wait(ms: number): Promise<void> };

/** Pauses for so many ms. */
export const sleep = (ms: number): Promise<void> => scheduler.wait(ms);
