import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { AppEnv } from '../../../functions/http/env.ts';
import { ownHostOnly, serveMcp } from '../../../functions/mcp/routes.ts';
import { REVISION } from '../../support/people/agents.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { conform, withKey } from '../../support/worlds/conformance.ts';
import { createEverythingServer } from '../../support/worlds/everything-server.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const BASELINE = 'test/functions/mcp/conformance-baseline.yml';

test.each(['tools-list', 'server-stateless', 'http-header-validation', 'dns-rebinding-protection', 'caching'])(
  'the product conforms in %s, but for what the baseline gives a reason for',
  async (scenario) => {
    const { secret_key } = await freshPlatform({ plan: 'enterprise' });
    const { url, close } = await withKey(world.baseUrl, secret_key);
    const options = ['--scenario', scenario, '--spec-version', REVISION, '--expected-failures', BASELINE];
    const { code, output } = await conform(url, options);
    close();
    expect(code, output).toBe(0);
    expect(output).toMatch(/\d+\/\d+/);
  },
);

/** Serves the suite's own fixtures behind the product's MCP handler and its Host check. */
async function serveEverything() {
  const app = new Hono<AppEnv>();
  const refused: string[] = [];
  app.use(async (c, next) => {
    // The handler reads only the service's address and the log from the request's context.
    const log = (_level: string, line: string) => void refused.push(line);
    c.set('env', { BASE_URL: 'http://127.0.0.1', LOCAL_MODE: 'on' } as AppEnv['Variables']['env']);
    c.set('ctx', { log } as unknown as AppEnv['Variables']['ctx']);
    await next();
  });
  app.use(ownHostOnly());
  app.post('/mcp', (c) => serveMcp(c, createEverythingServer));
  return new Promise<{ url: string; close: () => void }>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}/mcp`, close: () => server.close() }),
    );
  });
}

test('an entry of the baseline that passes by now fails the run', async () => {
  const { secret_key } = await freshPlatform({ plan: 'enterprise' });
  const { url, close } = await withKey(world.baseUrl, secret_key);
  const folder = mkdtempSync(join(tmpdir(), 'tandem-'));
  const stale = join(folder, 'stale.yml');
  writeFileSync(stale, 'server:\n  - tools-list:tools-name-format\n');
  const { code, output } = await conform(url, [
    '--scenario',
    'tools-list',
    '--spec-version',
    REVISION,
    '--expected-failures',
    stale,
  ]);
  close();
  rmSync(folder, { recursive: true });
  expect(code, output).toBe(1);
});

test('what the protocol requires of a server, our handler does', async () => {
  const { url, close } = await serveEverything();
  const { code, output } = await conform(url, ['--requirements', REVISION]);
  close();
  expect(code, output).toBe(0);
  const named = (mark: string) =>
    [...output.matchAll(new RegExp(`^${mark} ([\\w-]+):`, 'gm'))].map(([, name = '']) => name);
  // Checks beyond the required ones must pass too, except those of tasks, an extension that Tandem does not offer.
  const isOffered = (name: string) => !name.startsWith('tasks-');
  expect(named('✗').filter(isOffered)).toEqual([]);
  expect(named('✓').filter(isOffered)).toHaveLength(40);
});
