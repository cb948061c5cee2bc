import type { Behavior } from './behavior.ts';
import { EVENT_BEHAVIORS } from './events.ts';
import { FREE_BUSY } from './free-busy.ts';
import { LISTS } from './lists.ts';
import { REFUSALS } from './refusals.ts';

/** Behaviors of Google that any account can show. */
export const BEHAVIORS: Behavior[] = [...FREE_BUSY, ...LISTS, ...EVENT_BEHAVIORS, ...REFUSALS];
