/** Renders the choice of a time zone by region, with every zone, UTC, and the zone that is chosen now. */
export const ZoneSelect = ({ zone }: { zone: string }) => (
  <select id="zone" name="zone">
    {zonesWith(zone).map(([region, zones]) => (
      <optgroup label={region}>
        {zones.map((one) => (
          <option value={one} selected={one === zone}>
            {one
              .slice(one.indexOf('/') + 1)
              .replaceAll('_', ' ')
              .replaceAll('/', ', ')}
          </option>
        ))}
      </optgroup>
    ))}
  </select>
);

/** Lists all time zones by region, with UTC and the given zone, which the runtime's list may lack. */
function zonesWith(zone: string): [region: string, zones: string[]][] {
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].sort();
  return [...Map.groupBy(zones, (one) => (one.includes('/') ? one.slice(0, one.indexOf('/')) : 'Other'))];
}
