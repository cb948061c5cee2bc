import { Hono } from 'hono';
import { z } from 'zod';
import type { PlatformKeys } from '../platforms.ts';
import { readBody } from './input.ts';

const NewPlatform = z.strictObject({
  name: z.string().min(1),
  plan: z.enum(['developer', 'starter', 'pro', 'growth', 'scale', 'enterprise']).default('pro'),
  webhook_url: z.url().optional(),
  redirect_uris: z.array(z.url()).max(5).optional(),
});
const Connection = z.strictObject({ email: z.email(), platform_id: z.string().optional() });

export interface PeopleDeps {
  createPlatform(input: z.output<typeof NewPlatform>): Promise<PlatformKeys>;
  connect(input: z.output<typeof Connection>): Promise<{ email: string; api_key: string }>;
}

/** `/platforms` and `/connect`: a new platform with its keys, a person who connects their calendar to one. */
export function peopleRoutes({ createPlatform, connect }: PeopleDeps) {
  return new Hono()
    .post('/platforms', async (c) => c.json(await createPlatform(await readBody(c, NewPlatform)), 201))
    .post('/connect', async (c) => c.json(await connect(await readBody(c, Connection))));
}
