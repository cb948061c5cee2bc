import { randomIds } from '../../../lib/kit/ids.ts';
import { deletePlatform, suspendPlatform } from '../../../lib/platforms/operator-commands.ts';
import { openDb } from '../../local/open-db.ts';
import { world } from '../worlds/world.ts';
import type { TestPlatform } from './factories.ts';

/** Returns what an operator's command works with, on the database of this world. */
const operator = () => ({
  db: openDb(world.neon),
  clock: world.clock,
  ids: randomIds,
  actor: { kind: 'operator' as const, id: 'olga' },
  network: null,
  requestId: 'test',
});

/** Suspends a platform, as the operator's command does. */
export const suspend = ({ id }: TestPlatform) => suspendPlatform(operator(), id);

/** Deletes a platform, as the operator's command does. */
export const remove = ({ id }: TestPlatform) => deletePlatform(operator(), id);
