import { HOSTS, WORLD_HOST } from '../targets.ts';
import { setOffset, setPatience } from './isolate.ts';

type Env = Record<string, unknown>;

/** Part of a Worker module that the local stack uses. */
export interface WorkerModule<E = Env, C = unknown> {
  fetch(request: Request, env: E, ctx: C): Response | Promise<Response>;
  scheduled(controller: unknown, env: E, ctx: C): void | Promise<void>;
}

/** Puts the production Worker on the world's clock and gives it the AI binding, both from outside. */
export function localWorker<C>(product: WorkerModule<Env, C>): WorkerModule<Env, C> {
  return {
    async fetch(request, env, ctx) {
      const { hostname, pathname } = new URL(request.url);
      if (hostname === WORLD_HOST || pathname === '/.local/clock') {
        isOnTheClock = false;
        await joinClock();
        return new Response(null, { status: 204 });
      }
      await joinClock();
      // Tells the command line that this Tandem has a world around it, which can make events happen.
      if (pathname === '/.local/world')
        return Response.json({ world_url: new URL(String(env.GOOGLE_AUTHORIZE_URL)).origin });
      return product.fetch(request, withAi(env), ctx);
    },
    async scheduled(controller, env, ctx) {
      await joinClock();
      return product.scheduled(controller, withAi(env), ctx);
    },
  };
}

let isOnTheClock = false;
let asked = 0;
let answered = 0;

/**
 * Sets this isolate's clock to the world's, unless it is there already. Each request asks for itself, because workerd
 * refuses a request that waits for another request's call. An answer older than the last one is dropped.
 */
async function joinClock(): Promise<void> {
  if (isOnTheClock) return;
  const turn = ++asked;
  const response = await fetch(`http://${WORLD_HOST}/clock`);
  const { offset_ms, patience } = (await response.json()) as { offset_ms: number; patience?: number };
  if (turn < answered) return;
  answered = turn;
  setOffset(offset_ms);
  setPatience(patience ?? 1);
  isOnTheClock = true;
}

function withAi(env: Env): Env {
  return { ...env, AI: { run: runModel } };
}

async function runModel(model: string, input: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> {
  const response = await fetch(`https://${HOSTS.llm}/run/${model}`, {
    method: 'POST',
    body: JSON.stringify(input),
    ...options,
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}`);
  return response.json();
}
