import { zoneNames } from '../../lib/engine/time/zone-table.ts';

export const ZoneSelect = ({ zone }: { zone: string }) => (
  <select id="zone" name="zone">
    <ZoneOptions zone={zone} />
  </select>
);

/** Renders the options of a list of time zones, by region. `zone` is the one that is chosen now, or empty. */
export const ZoneOptions = ({ zone }: { zone: string }) =>
  zonesWith(zone).map(([region, zones]) => (
    <optgroup label={region}>
      {zones.map((one) => (
        <option value={one} selected={one === zone}>
          {placeOf(one)}
        </option>
      ))}
    </optgroup>
  ));

/** Names the place of a zone without its region: "Argentina, Buenos Aires" for America/Argentina/Buenos_Aires. */
export const placeOf = (zone: string): string =>
  zone
    .slice(zone.indexOf('/') + 1)
    .replaceAll('_', ' ')
    .replaceAll('/', ', ');

const REGIONS = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;

/** Lists the zones of all regions, UTC, and the given zone, which need not belong to a region. */
function zonesWith(zone: string): [region: string, zones: string[]][] {
  const regional = zoneNames().filter((name) => REGIONS.test(name));
  const zones = [...new Set([...regional, 'UTC', zone])].filter((name) => name !== '').sort();
  return [...Map.groupBy(zones, (one) => (one.includes('/') ? one.slice(0, one.indexOf('/')) : 'Other'))];
}
