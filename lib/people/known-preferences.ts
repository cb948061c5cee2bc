import type { PreferencesChange } from '../../schema/users/preferences-queries.ts';
import { spellHolidayPlace } from '../engine/rules/holiday-table.ts';
import { isTimeZone } from '../engine/time/zone.ts';
import { spellZone } from '../engine/time/zone-names.ts';
import { AppError } from '../kit/errors.ts';

/**
 * Corrects the spelling of the time zone's name in a preferences change. Throws `invalid_request` if the zone is
 * unknown.
 */
export function withKnownZone({ timezone, ...others }: PreferencesChange): PreferencesChange {
  if (timezone === undefined) return others;
  if (timezone === null) return { ...others, timezone };
  if (!isTimeZone(timezone))
    throw new AppError('invalid_request', '`timezone` must be an IANA time zone, such as Europe/Berlin.', {
      field: 'timezone',
    });
  return { ...others, timezone: spellZone(timezone) };
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
