import { Hono } from 'hono';
import { Fault, type Faults } from '../faults.ts';
import { Latencies, type Latency } from '../latency.ts';
import type { Traffic } from '../traffic.ts';
import { readBody } from './input.ts';

/**
 * Serves `/faults`, `/latency` and `/traffic`: make the Worker's outbound calls fail, make them slow, and list them.
 */
export function edgeRoutes({ faults, latency, traffic }: { faults: Faults; latency: Latency; traffic: Traffic }) {
  return new Hono()
    .get('/faults', (c) => c.json({ faults: faults.list() }))
    .post('/faults', async (c) => {
      faults.add(await readBody(c, Fault));
      return c.json({ faults: faults.list() }, 201);
    })
    .delete('/faults', (c) => {
      faults.clear();
      return c.body(null, 204);
    })
    .get('/latency', (c) => c.json(latency.list()))
    .post('/latency', async (c) => {
      latency.set(await readBody(c, Latencies));
      return c.json(latency.list());
    })
    .get('/traffic', (c) => c.json({ traffic: traffic.list() }))
    .delete('/traffic', (c) => {
      traffic.clear();
      return c.body(null, 204);
    });
}
