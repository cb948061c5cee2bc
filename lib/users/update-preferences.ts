import type { PreferencesRequest } from '../../schema/api/preferences.ts';
import { mergePreferences } from '../../schema/users/preferences-queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { isTimeZone } from '../scheduling/zone.ts';
import { shownPreferences } from './shown-preferences.ts';

/** Changes the given preferences and no others; answers all of them. */
export async function updatePreferences(ctx: Ctx, userId: string, given: PreferencesRequest) {
  if (given.timezone !== undefined && !isTimeZone(given.timezone))
    throw new AppError('invalid_request', 'timezone must be an IANA time zone.', { field: 'timezone' });
  const user = await mergePreferences(ctx.db, { userId, given });
  if (user === undefined) throw new Error('the user of the key is gone');
  return { email: user.email, preferences: shownPreferences(user) };
}
