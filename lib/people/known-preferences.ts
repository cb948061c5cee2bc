import type { PreferencesChange } from '../../schema/access/users-preferences.ts';
import { spellHolidayPlace } from '../engine/rules/holiday-table.ts';
import { AppError } from '../kit/errors.ts';
import { givenZone } from '../person/given-zone.ts';

/** Throws `invalid_request` for an unknown zone, or for a place without known holidays. */
export function knownPreferences(given: PreferencesChange): PreferencesChange {
  const { timezone, holidays } = given;
  return {
    ...given,
    ...(timezone == null ? {} : { timezone: givenZone(timezone, 'timezone') }),
    ...(holidays == null ? {} : { holidays: givenPlace(holidays) }),
  };
}

function givenPlace(holidays: string): string {
  const place = spellHolidayPlace(holidays);
  if (place !== undefined) return place;
  throw new AppError(
    'invalid_request',
    '`holidays` must be "off", or the code of a country (such as "DE") or region (such as "DE-BY") whose public holidays Tandem knows.',
    { field: 'holidays' },
  );
}
