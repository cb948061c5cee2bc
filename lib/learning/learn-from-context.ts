import type { WeightChange } from '../../schema/access/learning.ts';
import type { Reading } from '../engine/wish/reading.ts';
import type { Ctx } from '../kit/context.ts';
import { weightsOf } from './weight-factors.ts';

/** Only what the person's text says about times in general counts. */
export const weightChangesOfContext = (ctx: Pick<Ctx, 'ids'>, { standing }: Reading): WeightChange[] =>
  weightsOf(standing)
    .filter(([, factor]) => factor !== 1)
    .map(([weight, factor]) => ({ id: ctx.ids.id('learn_'), pattern: 'scheduling_context', weight, factor }));
