import { formatInTimeZone, fromZonedTime } from 'date-fns-tz';
import { DateTime } from 'luxon';
import { Temporal } from 'temporal-polyfill';
import { searchWith } from './search-plain.ts';

// Contestants of the search bench that use a time zone library as its documentation shows. The rest of the search is
// the same plain code for all three.

/** Contestant with date-fns-tz, which caches its formatters. */
export const withDateFnsTz = searchWith({
  instantAt: (date, clock, timeZone) => fromZonedTime(`${date}T${clock}`, timeZone).getTime(),
  textOf: (instant, timeZone) => formatInTimeZone(instant, timeZone, "yyyy-MM-dd'T'HH:mm:ssXXX"),
});

/** Contestant with the Temporal of temporal-polyfill. */
export const withTemporal = searchWith({
  instantAt: (date, clock, timeZone) =>
    Temporal.PlainDateTime.from(`${date}T${clock}`).toZonedDateTime(timeZone).epochMilliseconds,
  textOf: (instant, timeZone) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toString({ timeZone, smallestUnit: 'second' }),
});

/** Contestant with luxon, with the zone in the options as its manual shows. */
export const withLuxon = searchWith({
  instantAt: (date, clock, zone) => DateTime.fromISO(`${date}T${clock}`, { zone }).toMillis(),
  textOf: (instant, zone) => DateTime.fromMillis(instant, { zone }).toISO({ suppressMilliseconds: true }) ?? '',
});
