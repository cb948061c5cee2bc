import type { WeightChange } from '../../schema/learning/queries.ts';
import type { Reading } from '../engine/wish/reading.ts';
import type { Ctx } from '../kit/context.ts';
import { weightsOf } from './weight-factors.ts';

/**
 * Returns the changes of preference weights that a person's scheduling context teaches, by the rules about times in
 * general that were read in it.
 */
export const weightChangesOfContext = (ctx: Pick<Ctx, 'ids'>, { standing }: Reading): WeightChange[] =>
  weightsOf(standing)
    .filter(([, factor]) => factor !== 1)
    .map(([weight, factor]) => ({ id: ctx.ids.id('learn_'), pattern: 'scheduling_context', weight, factor }));
