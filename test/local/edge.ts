import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MovableClock } from './clock.ts';
import { type Faults, faultResponse } from './faults.ts';
import type { LateCalls } from './late-calls.ts';
import type { Latency } from './latency.ts';
import { readRequest, writeResponse } from './node-http.ts';
import type { StandIn } from './stand-in.ts';
import { TARGET_BY_HOST, type Target, WORLD_HOST } from './targets.ts';
import type { Traffic } from './traffic.ts';
import { LIMIT_HEADER } from './worker/limit-header.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
// The body is decoded and whole when it goes on.
const ENCODINGS = ['content-encoding', 'content-length', 'transfer-encoding', 'connection'];
const PATIENCE_MS = 60_000;

interface EdgeOptions {
  port: number;
  parties: Record<Target, Pick<StandIn, 'fetch'>>;
  /** Answers what is addressed to the edge itself: the control server and the consent pages. */
  own: (request: Request) => Response | Promise<Response>;
  isInbox: (host: string) => boolean;
  clock: MovableClock;
  faults: Faults;
  latency: Latency;
  lateCalls: LateCalls;
  traffic: Traffic;
  killWorker: () => void;
  /** Called after each request. */
  onHandled?: (() => void) | undefined;
  report: (line: string) => void;
}

/** What the Worker gets: an answer, a socket that stays silent, or one that breaks. */
type Answer = Response | 'never' | 'dropped';

export interface Edge {
  port: number;
  url: string;
  close(): Promise<void>;
}

/** The loopback server every outbound call of the Worker arrives at: routes by `Host`, counts, slows and fails. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const server = createServer((incoming, outgoing) => {
    handle(options, incoming, outgoing)
      .catch((error: unknown) => {
        options.report(`edge: ${incoming.method} ${incoming.headers.host}${incoming.url}: ${describe(error)}`);
        incoming.socket.destroy();
      })
      .finally(options.onHandled);
  });
  server.keepAliveTimeout = 60_000;
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

async function handle(options: EdgeOptions, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const { request, bodyText } = await readRequest(incoming, gone.signal);
  const { hostname, host, pathname } = new URL(request.url);
  const isLoopback = LOOPBACK.includes(hostname);
  const isOwn = isLoopback && portOf(host) === incoming.socket.localPort;
  if (isOwn || hostname === WORLD_HOST) return writeResponse(outgoing, await options.own(request));

  const isWebhook = isLoopback || options.isInbox(hostname);
  const target = TARGET_BY_HOST.get(hostname) ?? (isWebhook ? 'inbox' : undefined);
  if (target === undefined) {
    options.report(`edge: nobody answers for ${request.method} ${host}${pathname}`);
    return writeResponse(outgoing, new Response(`unknown host ${host}`, { status: 599 }));
  }

  const call = { target, method: request.method, path: pathname, request_id: requestIdOf(request, bodyText) };
  const entry = options.traffic.open(call);
  const hangsUpAt = request.headers.get(LIMIT_HEADER);
  request.headers.delete(LIMIT_HEADER);
  outgoing.once('close', () => {
    if (entry.end === null) options.traffic.close(entry, null);
  });
  await options.lateCalls.arrive();
  const wayBack = await options.latency.travel(target);
  const response = await play(options, options.faults.take({ ...call, bodyText }), () =>
    isLoopback ? passOn(options, request) : options.parties[target].fetch(request),
  );
  if (response === 'never') {
    if (hangsUpAt === null) return;
    // The time until the Worker gives the call up passes at once.
    options.clock.advance(Math.max(0, Number(hangsUpAt) - options.clock.now()));
    options.traffic.close(entry, null);
    await writeResponse(
      outgoing,
      new Response(null, { headers: { [LIMIT_HEADER]: String(options.clock.workerOffset()) } }),
    );
    return;
  }
  if (response === 'dropped') {
    incoming.socket.destroy();
    return;
  }
  await wayBack();
  options.traffic.close(entry, response.status);
  await writeResponse(outgoing, response);
}

/** Which request of the Worker's made the call; the queue's client sends every header of ours as one to forward, of each message in a batch. */
const requestIdOf = ({ headers }: Request, bodyText: string): string | null =>
  headers.get('x-request-id') ??
  headers.get('upstash-forward-x-request-id') ??
  /^\[\{"destination":.*?"upstash-forward-x-request-id":"([^"]+)"/.exec(bodyText)?.[1] ??
  null;

/** Brings a webhook to a server of one's own on this machine, by plain HTTP. */
async function passOn({ report }: EdgeOptions, request: Request): Promise<Answer> {
  try {
    const answer = await fetch(new Request(request, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) }));
    const headers = new Headers(answer.headers);
    for (const name of ENCODINGS) headers.delete(name);
    const isBodiless = [204, 205, 304].includes(answer.status);
    return new Response(isBodiless ? null : await answer.arrayBuffer(), { status: answer.status, headers });
  } catch (error) {
    report(`edge: ${request.method} ${request.url} got no answer: ${causeOf(error)}`);
    return 'dropped';
  }
}

async function play(
  { killWorker, lateCalls }: EdgeOptions,
  fault: ReturnType<Faults['take']>,
  work: () => Answer | Promise<Answer>,
): Promise<Answer> {
  if (fault === undefined) return work();
  if (fault.mode === 'late') {
    lateCalls.add(fault.delay_ms ?? 0, work);
    return 'never';
  }
  if (fault.delay_ms !== undefined) await sleep(fault.delay_ms);
  if (fault.mode === 'hang') return 'never';
  if (fault.mode === 'hold') await fault.released;
  if (fault.mode === 'delay' || fault.mode === 'hold') return work();
  if (fault.mode === 'status') return faultResponse(fault);
  if (fault.mode === 'after' || fault.mode === 'kill_after') await work();
  if (fault.mode === 'kill' || fault.mode === 'kill_after') killWorker();
  return 'dropped';
}

function portOf(host: string): number {
  return Number(host.split(':').at(-1));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? String(error);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
