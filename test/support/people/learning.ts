import type { Answers } from '../../../lib/client/types.ts';
import { randomIds } from '../../../lib/kit/ids.ts';
import { learnFromReason, lessonOf } from '../../../lib/learning/learn-from-reason.ts';
import { wholeWeights } from '../../../lib/person/person.ts';
import { readByRules } from '../../../lib/reader/grammar/read.ts';
import type { StoredWeights } from '../../../schema/tables/users.ts';
import { openDb } from '../../local/open-db.ts';
import { world } from '../worlds/world.ts';
import { freshPlatform, personWithKey } from './factories.ts';

const ctx = { db: openDb(world.neon), clock: world.clock, ids: randomIds };

export const ONES = {
  time_of_day_preference: { morning: 1, afternoon: 1, evening: 1 },
  day_of_week_preference: { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 1, sunday: 1 },
  buffer_importance: 1,
};
export const weights = ({ time_of_day_preference, day_of_week_preference, buffer_importance = 1 }: StoredWeights) => ({
  time_of_day_preference: { ...ONES.time_of_day_preference, ...time_of_day_preference },
  day_of_week_preference: { ...ONES.day_of_week_preference, ...day_of_week_preference },
  buffer_importance,
});

export type Learning = Answers['Learning'];
export type Entry = Learning['entries'][number];

/** A Monday, and a meeting at ten on the Tuesday after. */
const ANY = { today: 4, oldDay: 5, oldMinute: 600, durationMinutes: 30 };

let meetings = 0;
/** Creates a person with a user key, and the requests they make about their learned weights. */
export async function someone() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const { email, own: client } = await personWithKey(platform, { name: 'learner' });
  const [row] = await world.neon.query('select id from users where email = $1', [email]);
  const userId = String(row?.id);
  const read = async () => (await client.send('GET', '/v1/user/learning')).body as Learning;
  return {
    email,
    read,
    weights: async () => (await read()).learned_weights,
    live: async () => (await read()).entries.filter(({ undone_at }) => undone_at === null),
    learn: async (reason: string, meetingId = `meet_${++meetings}`) =>
      (await learnFromReason(ctx, { userId, meetingId, reading: readByRules(reason, ANY) })).changes,
    /** Returns the changes that `learn` would make for the reason of another meeting. */
    foresee: async (reason: string) => {
      const [user] = await world.neon.query('select weights from users where id = $1', [userId]);
      const known = { weights: wholeWeights(user?.weights as StoredWeights), taught: [] };
      return lessonOf(ctx, readByRules(reason, ANY), known).changes;
    },
    undo: (id: string) => client.send('POST', `/v1/user/learning/${id}/undo`),
    reset: () => client.send('DELETE', '/v1/user/learning'),
    say: (text: string) => client.send('PUT', '/v1/user/preferences', { scheduling_context: text }),
    send: client.send,
  };
}

/** Multiplies the factors of the entries that still count, starting from 1. */
export const productOf = (entries: Entry[], weight: string) =>
  entries.filter((entry) => entry.weight === weight).reduce((value, { before, after }) => (value * after) / before, 1);
