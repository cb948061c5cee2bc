import { LIMIT_HEADER, TARGET_BY_HOST, WORLD_HOST } from '../targets.ts';

const MachineDate = Date;
let offset = 0;

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [MachineDate.now() + offset] : args, newTarget),
  apply: () => new Date().toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => MachineDate.now() + offset : Reflect.get(target, name, receiver),
});

/** Sets the milliseconds by which the isolate's `Date` is ahead of the machine's clock. */
export function setOffset(ms: number): void {
  offset = ms;
}

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
const isPatient = () => patience > 1;

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

declare const scheduler: { wait(ms: number): Promise<void> };

const machineWait = scheduler.wait.bind(scheduler);

scheduler.wait = async (ms) => {
  if (!isPatient()) return machineWait(ms);
  const response = await machineFetch(`http://${WORLD_HOST}/sleep`, { method: 'POST', body: JSON.stringify({ ms }) });
  const { offset_ms } = (await response.json()) as { offset_ms: number };
  setOffset(offset_ms);
};
