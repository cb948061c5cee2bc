import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as Listener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MovableClock } from './clock.ts';
import { type Faults, faultResponse, type LateCalls, type Latency } from './faults.ts';
import { readRequest, writeResponse } from './node-http.ts';
import { LIMIT_HEADER, type StandIn, TARGET_BY_HOST, type Target, WORLD_HOST } from './targets.ts';
import type { Traffic } from './traffic.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
// The body arrives decoded and whole, so these headers no longer apply.
const ENCODINGS = ['content-encoding', 'content-length', 'transfer-encoding', 'connection'];
const PATIENCE_MS = 60_000;

interface EdgeOptions {
  port: number | Listener;
  parties: Record<Target, Pick<StandIn, 'fetch'>>;
  /** Answers requests to the edge itself: the control server and the consent pages. */
  own: (request: Request) => Response | Promise<Response>;
  isInbox: (host: string) => boolean;
  clock: MovableClock;
  faults: Faults;
  latency: Latency;
  lateCalls: LateCalls;
  traffic: Traffic;
  killWorker: () => void;
  /** Callback after each request. */
  onHandled?: (() => void) | undefined;
  report: (line: string) => void;
}

/** Answer that the Worker gets: a response, a socket that stays silent, or one that breaks. */
type Answer = Response | 'never' | 'dropped';

/**
 * Starts the loopback server that receives every outbound call of the Worker. It routes calls by `Host`, records them,
 * delays them and makes them fail.
 */
export async function startEdge(options: EdgeOptions) {
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
  const { hostname, host, port, pathname } = new URL(request.url);
  const isLoopback = LOOPBACK.includes(hostname);
  const isOwn = isLoopback && port === String(incoming.socket.localPort);
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
    // The clock jumps to the time at which the Worker gives the call up.
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

/**
 * Returns the id of the request for which the Worker made the call. The queue's client sends all our headers as headers
 * to forward, for each message of a batch.
 */
const requestIdOf = ({ headers }: Request, bodyText: string): string | null =>
  headers.get('x-request-id') ??
  headers.get('upstash-forward-x-request-id') ??
  /^\[\{"destination":.*?"upstash-forward-x-request-id":"([^"]+)"/.exec(bodyText)?.[1] ??
  null;

/** Forwards a webhook over plain HTTP to a developer's own server on this machine. */
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

async function listen(server: Server, port: number | Listener): Promise<void> {
  if (typeof port === 'number') server.listen(port, '127.0.0.1');
  else server.listen(port);
  await once(server, 'listening');
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
