import { startWorld } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { quantile } from './figures.ts';
import { ADA, BOB } from './search-input.ts';

const REQUESTS = 400;
const WARM = 100;

/**
 * Returns the median milliseconds of a whole 30-day search through the Worker, with every other service local and
 * without delay.
 */
export async function wholeRequest(): Promise<number> {
  const world = await startWorld();
  try {
    const platform = await world.platforms.create({ name: 'Bench', plan: 'enterprise' });
    for (const { email, timeZone } of [ADA, BOB]) {
      world.google.addUser({ email, timezone: timeZone });
      await world.connectCalendar(platform, email);
    }
    const client = createClient(world.baseUrl, platform.secret_key);
    const dateOf = (days: number) => new Date(world.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
    const body = { attendees: [ADA.email, BOB.email], date_range: { start_date: dateOf(0), end_date: dateOf(29) } };
    const samples: number[] = [];
    for (let i = 0; i < WARM + REQUESTS; i++) {
      const from = performance.now();
      const { status, text } = await client.send('POST', '/v1/availability', body);
      samples.push(performance.now() - from);
      if (status !== 200) throw new Error(text);
    }
    return quantile(samples.slice(WARM), 0.5);
  } finally {
    await world.close();
  }
}
