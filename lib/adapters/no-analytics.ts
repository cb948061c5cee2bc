/** In the place of the rate limiter's analytics (wrangler.toml): off by default, and nothing here turns them on. */
export class Analytics {
  constructor() {
    throw new Error('the rate limiter keeps no analytics');
  }
}
