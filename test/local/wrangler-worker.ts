import './worker/through-edge.ts';
import { worker } from './worker.ts';

/** The production Worker as `wrangler dev` runs it beside the stand-ins. */
export default worker;
