/** The timer of the Workers runtime, whose `wait` pauses (developers.cloudflare.com/workers/runtime-apis/scheduler). */
declare const scheduler: { wait(ms: number): Promise<void> };

export const sleep = (ms: number): Promise<void> => scheduler.wait(ms);
