import type { PreferencesChange } from '../../schema/users/preferences-queries.ts';
import { spellHolidayPlace } from '../engine/rules/holiday-table.ts';
import { AppError } from '../kit/errors.ts';
import { givenZone } from '../person/given-zone.ts';

/**
 * Corrects the spelling of the time zone's name in a preferences change. Throws `invalid_request` if the zone is
 * unknown.
 */
export function withKnownZone({ timezone, ...others }: PreferencesChange): PreferencesChange {
  if (timezone === undefined) return others;
  return { ...others, timezone: timezone && givenZone(timezone, 'timezone') };
}

/**
 * Corrects the spelling of the country or region in the `holidays` field of a preferences change. Throws
 * `invalid_request` if its public holidays are not known.
 */
export function withKnownHolidays({ holidays, ...others }: PreferencesChange): PreferencesChange {
  if (holidays === undefined) return others;
  if (holidays === null) return { ...others, holidays };
  const place = spellHolidayPlace(holidays);
  if (place === undefined)
    throw new AppError(
      'invalid_request',
      '`holidays` must be "off", or the code of a country (such as "DE") or region (such as "DE-BY") whose public holidays Tandem knows.',
      { field: 'holidays' },
    );
  return { ...others, holidays: place };
}
