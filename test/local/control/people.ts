import { Hono } from 'hono';
import * as z from 'zod';
import type { PlatformKeys, Platforms } from '../platforms.ts';
import { readBody, refuse } from './input.ts';

const NewPlatform = z.strictObject({
  name: z.string().min(1),
  plan: z.enum(['developer', 'starter', 'pro', 'growth', 'scale', 'enterprise']).default('pro'),
  webhook_url: z.url().optional(),
  redirect_uris: z.array(z.url()).max(5).optional(),
});
const Connection = z.strictObject({ email: z.email(), platform_id: z.string().optional() });

export interface PeopleDeps {
  platforms: Platforms;
  connect(platform: PlatformKeys, email: string): Promise<{ email: string; api_key: string }>;
  /** Creates a new link to the platform's dashboard. */
  dashboardLink(platform: PlatformKeys): Promise<string>;
}

/**
 * Serves `/platforms`, which creates a platform, `/connect`, which connects a person's calendar to one, and
 * `/dashboard`, which opens a platform's dashboard in a browser, as a link from its own admin pages would.
 */
export function peopleRoutes({ platforms, connect, dashboardLink }: PeopleDeps) {
  return new Hono()
    .get('/dashboard', async (c) => {
      const id = c.req.query('platform_id');
      const platform =
        platforms.find(id) ??
        refuse(404, id === undefined ? 'There is no platform yet.' : `There is no platform ${id}.`);
      return c.redirect(await dashboardLink(platform).catch((error: unknown) => refuse(502, messageOf(error))));
    })
    .post('/platforms', async (c) => c.json(await platforms.create(await readBody(c, NewPlatform)), 201))
    .post('/connect', async (c) => {
      const { email, platform_id } = await readBody(c, Connection);
      const platform =
        platforms.find(platform_id) ??
        refuse(404, platform_id === undefined ? 'There is no platform yet.' : `There is no platform ${platform_id}.`);
      return c.json(await connect(platform, email).catch((error: unknown) => refuse(502, messageOf(error))));
    });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
