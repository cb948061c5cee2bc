import { WORLD_HOST } from '../targets.ts';
import { setOffset } from './isolate-clock.ts';
import { isPatient } from './isolate-limits.ts';

declare const scheduler: { wait(ms: number): Promise<void> };

const machineFetch = globalThis.fetch;
const machineWait = scheduler.wait.bind(scheduler);

scheduler.wait = async (ms) => {
  if (!isPatient()) return machineWait(ms);
  const response = await machineFetch(`http://${WORLD_HOST}/sleep`, { method: 'POST', body: JSON.stringify({ ms }) });
  const { offset_ms } = (await response.json()) as { offset_ms: number };
  setOffset(offset_ms);
};
