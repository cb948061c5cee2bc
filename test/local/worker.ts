import './worker/isolate-clock.ts';
import './worker/isolate-limits.ts';
import './worker/isolate-sleep.ts';
import product from '../../functions/worker.ts';
import { localWorker } from './worker/local-worker.ts';

export const worker = localWorker(product);
