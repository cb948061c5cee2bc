import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

const CLI = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace('package.json', 'dist/index.js');

export interface Verdict {
  /** 0 if the results match the baseline: the checks it lists fail, and no others. */
  code: number;
  output: string;
}

/** Runs the protocol's own suite against a server. `what` holds its options: a scenario or a set of scenarios. */
export const conform = (url: string, what: readonly string[]): Promise<Verdict> =>
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
export async function withKey(target: string, key: string): Promise<{ url: string; close: () => void }> {
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
