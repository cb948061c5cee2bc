import './worker/isolate.ts';
import product from '../../functions/worker.ts';
import { localWorker } from './worker/local-worker.ts';

export const worker = localWorker(product);
