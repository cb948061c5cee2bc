import { HOLIDAYS_OFF, holidayPlaceOf, holidayPlaces } from '../../../lib/engine/rules/holiday-table.ts';
import { describes, Field } from '../components.tsx';

interface Props {
  value: string;
  /** Time zone of the person. If the field is empty, the public holidays of that zone's country apply. */
  timeZone: string;
  error: string | undefined;
}

/** Lists countries by name, and the regions of the country that applies now. */
export function HolidaysField({ value, timeZone, error }: Props) {
  const usual = holidayPlaceOf(timeZone);
  const [country] = (value === '' ? usual : value).split('-');
  const places = holidayPlaces().filter((place) => !place.includes('-') || place.startsWith(`${country}-`));
  const named = places.map((place) => ({ place, name: placeName(place) }));
  return (
    <Field
      id="holidays"
      label="Public holidays"
      hint="Nobody is offered a time with you on these days. Once a country is saved, its regions are listed too."
      error={error}
    >
      <select {...describes({ id: 'holidays', hint: true, error })} name="holidays">
        <option value="">As in your time zone: {usual === HOLIDAYS_OFF ? 'none known' : placeName(usual)}</option>
        <option value={HOLIDAYS_OFF} selected={value === HOLIDAYS_OFF}>
          No public holidays
        </option>
        {named.sort(byName).map(({ place, name }) => (
          <option value={place} selected={place === value}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name, 'en');

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
