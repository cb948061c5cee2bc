/**
 * An empty replacement for the analytics class of the rate limiter's library, swapped in by wrangler.toml. The
 * library's analytics are off by default, and we never turn them on.
 */
export class Analytics {
  constructor() {
    throw new Error('The rate limiter has analytics turned off.');
  }
}
