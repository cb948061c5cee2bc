import { describes, Field } from '../components.tsx';

interface Props {
  value: string;
  calendarTimeZone: string;
  error: string | undefined;
}

/**
 * Renders the choice of a time zone, with every zone listed by region. Also lists UTC and the person's own zone if the
 * runtime's list lacks them.
 */
export function ZoneField({ value, calendarTimeZone, error }: Props) {
  const zones = Intl.supportedValuesOf('timeZone');
  const extra = ['UTC', value].filter(
    (zone, i, all) => zone !== '' && !zones.includes(zone) && all.indexOf(zone) === i,
  );
  const regions = Map.groupBy(zones, (zone) => zone.split('/')[0] ?? '');
  return (
    <Field id="timezone" label="Time zone" hint="The hours on this page are in this time zone." error={error}>
      <select {...describes({ id: 'timezone', hint: true, error })} name="timezone">
        <option value="">{`As in your calendar: ${placeOf(calendarTimeZone)}`}</option>
        {extra.map((zone) => (
          <option value={zone} selected={zone === value}>
            {zone}
          </option>
        ))}
        {[...regions].map(([region, own]) => (
          <optgroup label={region}>
            {own.map((zone) => (
              <option value={zone} selected={zone === value}>
                {placeOf(zone)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </Field>
  );
}

/** Names the place of a zone without its region: "Argentina, Buenos Aires" for America/Argentina/Buenos_Aires. */
const placeOf = (zone: string) => {
  const [region = zone, ...places] = zone.replaceAll('_', ' ').split('/');
  return places.length === 0 ? region : places.join(', ');
};
