import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { AppEnv } from '../../../functions/http/env.ts';
import { ownHostOnly, serveMcp } from '../../../functions/mcp/routes.ts';
import { REVISION } from '../../support/people/agents.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { createEverythingServer } from '../../support/worlds/everything-server.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

const CLI = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace('package.json', 'dist/index.js');

interface Verdict {
  /** 0 if the results match the baseline: the checks it lists fail, and no others. */
  code: number;
  output: string;
}

/** Runs the protocol's own suite against a server. `what` holds its options: a scenario or a set of scenarios. */
const conform = (url: string, what: readonly string[]): Promise<Verdict> =>
  new Promise((resolve) => {
    const args = [CLI, 'server', '--url', url, ...what];
    execFile(
      process.execPath,
      args,
      { env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 64 << 20 },
      (error, stdout, stderr) => {
        const { code = 1 } = { ...(error as { code?: number } | null) };
        resolve({ code: error === null ? 0 : code, output: stdout + stderr });
      },
    );
  });

/** Starts a proxy that adds a key to each request, because the suite has none, and changes nothing else. */
async function withKey(target: string, key: string): Promise<{ url: string; close: () => void }> {
  const { hostname, port } = new URL(target);
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    const call = request({ hostname, port, path: asked.url, method: asked.method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    call.on('error', () => answer.destroy());
    asked.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}/mcp`, close: () => server.close() };
}

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
