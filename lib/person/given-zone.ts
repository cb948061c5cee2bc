import { knownZone } from '../engine/time/zone.ts';
import { zoneNames, zonesShortened } from '../engine/time/zone-table.ts';
import { AppError } from '../kit/errors.ts';
import { listed } from '../words/people.ts';
import { slipsBetween } from '../words/slips-between.ts';

const MOST = 4;
const LONGEST = 40;

/** Throws `invalid_request` for any other name, with the zones that the caller may mean. */
export function givenZone(given: string, field: string): string {
  const zone = knownZone(given);
  if (zone !== undefined) return zone;
  const meant = zonesMeant(given);
  const advice = meant.length === 0 ? ', such as Europe/Berlin.' : `. Did you mean ${listed(meant, 'or')}?`;
  throw new AppError('invalid_request', `\`${field}\` must be an IANA time zone${advice}`, { field });
}

/** The name may be an abbreviation (PST), an offset (UTC+2), a city or region (Berlin, Pacific Time), or misspelled. */
export function zonesMeant(given: string): string[] {
  const name = given
    .trim()
    .toLowerCase()
    .replace(/ (?:standard |daylight )?time$/, '')
    .replaceAll(' ', '_');
  const offset = /^(?:utc|gmt)?([+-])0?(\d{1,2})(?::?00)?$/.exec(name);
  // The signs of the names Etc/GMT are the reverse of everybody else's.
  const reversed = offset && knownZone(`Etc/GMT${offset[1] === '+' ? '-' : '+'}${offset[2]}`);
  if (offset) return reversed ? [reversed] : [];
  const names = zoneNames().map((zone) => ({ zone, lower: zone.toLowerCase() }));
  const placed = names.filter(({ lower }) => lower === name || lower.endsWith(`/${name}`));
  const meant = zonesShortened(name) ?? placed.map(({ zone }) => zone);
  return (meant.length > 0 ? meant : alike(name, names)).slice(0, MOST);
}

function alike(name: string, names: { zone: string; lower: string }[]): string[] {
  if (name.length > LONGEST) return [];
  return names
    .map(({ zone, lower }) => ({ zone, slips: slipsBetween(name, lower) }))
    .filter(({ slips }) => slips <= name.length / 5)
    .sort((a, b) => a.slips - b.slips)
    .map(({ zone }) => zone);
}
