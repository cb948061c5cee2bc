import { TARGET_BY_HOST } from '../targets.ts';
import { setOffset } from './isolate-clock.ts';

interface Limit {
  ms: number;
  expire(): void;
}

const machineTimeout = AbortSignal.timeout.bind(AbortSignal);
const machineFetch = globalThis.fetch;
const limits = new WeakMap<AbortSignal, Limit>();
let patience = 1;

/** Sets the factor by which the isolate waits longer for its own services than the product says. */
export function setPatience(factor: number): void {
  patience = factor;
}

/** Returns true if time passes in this world without anybody waiting for it. */
export const isPatient = () => patience > 1;

AbortSignal.timeout = (ms) => {
  if (!isPatient()) return machineTimeout(ms);
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  setTimeout(expire, ms * patience);
  limits.set(controller.signal, { ms, expire });
  return controller.signal;
};

globalThis.fetch = async (input, init) => {
  const limit = init?.signal && limits.get(init.signal);
  if (!limit) return machineFetch(input, init);
  const target = TARGET_BY_HOST.get(new URL(input instanceof Request ? input.url : input).hostname);
  if (target === undefined || target === 'inbox') setTimeout(limit.expire, limit.ms);
  const headers = new Headers(init.headers);
  headers.set(LIMIT_HEADER, String(Date.now() + limit.ms));
  const response = await machineFetch(input, { ...init, headers });
  const passed = response.headers.get(LIMIT_HEADER);
  if (passed === null) return response;
  setOffset(Number(passed));
  limit.expire();
  throw init.signal?.reason;
};

/**
 * Header that carries time limits. On a call, it has the time at which the caller gives up, by the world's clock. On an
 * answer, it says that this time has passed and has the clock's new offset.
 */
export const LIMIT_HEADER = 'x-world-limit';
