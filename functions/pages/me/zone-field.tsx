import { describes, Field } from '../components.tsx';
import { placeOf, ZoneOptions } from '../zone-select.tsx';

interface Props {
  value: string;
  /** Zone that the person's calendar names, or empty if it names none. */
  calendarTimeZone: string;
  error: string | undefined;
}

export const ZoneField = ({ value, calendarTimeZone, error }: Props) => (
  <Field id="timezone" label="Time zone" hint="The hours on this page are in this time zone." error={error}>
    <select {...describes({ id: 'timezone', hint: true, error })} name="timezone">
      <option value="">
        {calendarTimeZone === ''
          ? 'Your calendar names none: choose one'
          : `As in your calendar: ${placeOf(calendarTimeZone)}`}
      </option>
      <ZoneOptions zone={value} />
    </select>
  </Field>
);
