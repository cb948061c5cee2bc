import { formatInTimeZone, fromZonedTime } from 'date-fns-tz';
import { DateTime } from 'luxon';
import { Temporal } from 'temporal-polyfill';
import { searchWith } from './search-plain.ts';

// Each library does what it is for, zones, as its documentation shows it; all else is the same plain search for all three.

/** date-fns-tz, which keeps its formatters. */
export const withDateFnsTz = searchWith({
  instantAt: (date, clock, timeZone) => fromZonedTime(`${date}T${clock}`, timeZone).getTime(),
  textOf: (instant, timeZone) => formatInTimeZone(instant, timeZone, "yyyy-MM-dd'T'HH:mm:ssXXX"),
});

/** The Temporal of temporal-polyfill. */
export const withTemporal = searchWith({
  instantAt: (date, clock, timeZone) =>
    Temporal.PlainDateTime.from(`${date}T${clock}`).toZonedDateTime(timeZone).epochMilliseconds,
  textOf: (instant, timeZone) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toString({ timeZone, smallestUnit: 'second' }),
});

/** luxon, with the zone in the options as its manual has it. */
export const withLuxon = searchWith({
  instantAt: (date, clock, zone) => DateTime.fromISO(`${date}T${clock}`, { zone }).toMillis(),
  textOf: (instant, zone) => DateTime.fromMillis(instant, { zone }).toISO({ suppressMilliseconds: true }) ?? '',
});
