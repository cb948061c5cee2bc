import { HOLIDAYS_OFF, holidayCountries, holidayPlaceOf } from '../../../lib/engine/rules/holiday-table.ts';
import { describes, Field } from '../components.tsx';

interface Props {
  value: string;
  /** Time zone of the person. If the field is empty, the public holidays of that zone's country apply. */
  timeZone: string;
  error: string | undefined;
}

export function HolidaysField({ value, timeZone, error }: Props) {
  const usual = holidayPlaceOf(timeZone);
  const whose = usual === HOLIDAYS_OFF ? 'none, because your time zone names no country we know holidays of' : usual;
  return (
    <Field
      id="holidays"
      label="Public holidays"
      hint={`Days off, when nobody is offered a time with you. Enter a country such as DE, a region such as DE-BY, or off. If you leave it empty, the holidays follow your time zone: ${whose}.`}
      error={error}
    >
      <input
        {...describes({ id: 'holidays', hint: true, error })}
        class="short"
        name="holidays"
        list="holiday-places"
        maxlength={20}
        autocomplete="off"
        value={value}
      />
      <datalist id="holiday-places">
        <option value={HOLIDAYS_OFF}>No public holidays</option>
        {holidayCountries().map((country) => (
          <option value={country}>{nameOf(country)}</option>
        ))}
      </datalist>
    </Field>
  );
}

/** Names a country or region in words: "Germany", "Germany (DE-BY)". */
export const placeName = (place: string) => {
  const [country = ''] = place.split('-');
  return country === place ? nameOf(country) : `${nameOf(country)} (${place})`;
};

/** Adds the article that a country has in a sentence: "the United States", "the Netherlands", "Germany". */
export const inSentence = (place: string) => placeName(place).replace(WITH_ARTICLE, 'the $&');
const WITH_ARTICLE =
  /^(?:United|Bahamas|Comoros|Gambia|Isle of Man|Philippines|Seychelles)\b|^.*\b(?:Islands|Netherlands|Republic)\b/;
const NAMES = new Intl.DisplayNames('en', { type: 'region' });
const nameOf = (country: string) => NAMES.of(country) ?? country;
