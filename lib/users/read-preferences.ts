import { findPreferences } from '../../schema/users/preferences-queries.ts';
import type { Ctx } from '../context.ts';
import { shownPreferences } from './shown-preferences.ts';

/** A user's preferences, with the defaults of what they did not set. */
export async function readPreferences(ctx: Ctx, userId: string) {
  const user = await findPreferences(ctx.db, userId);
  if (user === undefined) throw new Error('the user of the key is gone');
  return { email: user.email, preferences: shownPreferences(user) };
}
