/**
 * Empty class that takes the place of the analytics class in the rate limiter's library, by an alias in wrangler.toml.
 * Tandem never turns the library's analytics on.
 */
export class Analytics {
  constructor() {
    throw new Error('The rate limiter has analytics turned off.');
  }
}
