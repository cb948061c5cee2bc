/** An alias in wrangler.toml puts this class in place of the rate limiter's analytics, which Tandem never turns on. */
export class Analytics {
  constructor() {
    throw new Error('The rate limiter has analytics turned off.');
  }
}
