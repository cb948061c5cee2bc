import { vi } from 'vitest';

/** Waits until the check no longer throws, and returns its result. The time limit only ends a test that hangs. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });
