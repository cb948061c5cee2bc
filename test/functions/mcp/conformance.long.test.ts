import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TOOLS } from '../../../lib/tools/tools.ts';
import { hostileValue } from '../../support/fuzz/hostile.ts';
import { leakIn } from '../../support/fuzz/judge.ts';
import { message, REVISION } from '../../support/people/agents.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
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

const meeting = await booked();
const { platform, ada, bob } = meeting;
const { api_key } = await world.connect(platform, ada.email);

const RIGHT: Record<string, unknown> = {
  attendees: [ada.email, bob.email],
  start_time: new Date(meeting.start + 86_400_000).toISOString(),
  duration_minutes: 30,
  title: 'Intro',
  meeting_id: meeting.id,
  job_id: 'sched_nothing',
  requested_by: ada.email,
  reason: 'Too early',
  email: ada.email,
  times: [new Date(meeting.start + 86_400_000).toISOString()],
};

const HOSTILE = fc.sample(hostileValue, { seed: 20_261_201, numRuns: 40 });

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  '%s: no argument causes an internal error',
  async (name, tool) => {
    const client = createClient(world.baseUrl, tool.for === 'user' ? api_key : platform.secret_key);
    const fields = [...Object.keys(tool.input.shape), '__proto__', 'constructor'];
    const wanted = Object.fromEntries(Object.entries(RIGHT).filter(([field]) => fields.includes(field)));
    let asked = 0;
    for (const field of fields)
      for (const value of HOSTILE) {
        // A user may send sixty requests a minute.
        if (tool.for === 'user' && asked++ % 50 === 0) await world.advance(61_000);
        const args = { ...wanted, ...('preview' in tool.input.shape ? { preview: true } : {}), [field]: value };
        const { headers, body } = message('tools/call', { name, arguments: args });
        const answer = await client.send('POST', '/mcp', body, { headers });
        const shown = JSON.stringify([field, value]).slice(0, 100);
        expect([shown, answer.status]).toEqual([shown, 200]);
        expect([shown, /internal_error|Something went wrong/.test(answer.text)]).toEqual([shown, false]);
        expect([shown, leakIn(answer.text.replaceAll(/"confirm_token":"[^"]+"|confirm_token: \S+/g, ''))]).toEqual([
          shown,
          undefined,
        ]);
      }
  },
);

test.each([
  ['arguments that are none', { name: 'check_availability', arguments: 'attendees' }],
  ['a name that is none', { name: 7, arguments: {} }],
  ['no name', {}],
  ['a name of all objects', { name: '__proto__', arguments: {} }],
])('%s are refused', async (_what, params) => {
  const { headers, body } = message('tools/call', params);
  const client = createClient(world.baseUrl, platform.secret_key);
  const answer = await client.send('POST', '/mcp', body, {
    headers: { ...headers, 'mcp-name': String((params as { name?: unknown }).name ?? '') },
  });
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).toContain('"error"');
});
