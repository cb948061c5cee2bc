import { HOLIDAYS_KNOWN_UNTIL } from '../../lib/engine/rules/holiday-table.ts';
import { DAY } from '../../lib/engine/time/dates.ts';
import { areZonesOld, ZONES_RELEASE } from '../../lib/engine/time/zone-table.ts';
import { type Check, Worth, Wrong } from './check.ts';

/** `npm run doctor` warns these days before the holidays end, because people book meetings that far ahead. */
const HOLIDAYS_DAYS = 120;

/** Checks of the tables that this code carries. */
export const TABLE_CHECKS: Check[] = [
  {
    name: 'Holidays',
    needs: [],
    async ask(_env, _ask, now) {
      const days = Math.floor((Date.parse(HOLIDAYS_KNOWN_UNTIL) - now) / DAY);
      if (days < HOLIDAYS_DAYS)
        throw new Wrong(
          `The table of public holidays ends on ${HOLIDAYS_KNOWN_UNTIL}. Run npm run holidays:generate, commit the table, and deploy.`,
        );
      return `The table of public holidays ends on ${HOLIDAYS_KNOWN_UNTIL}.`;
    },
  },
  {
    name: 'Zones',
    needs: [],
    async ask(_env, _ask, now) {
      const { name, date, knownUntil } = ZONES_RELEASE;
      const table = `The table of time zones has release ${name} of ${date} and ends on ${knownUntil}.`;
      if (areZonesOld(now))
        throw new Worth(
          `${table} That is over 180 days old. Update moment-timezone, run npm run zones:generate, commit the table, and deploy.`,
        );
      return table;
    },
  },
];
