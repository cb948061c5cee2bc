import { DAY, formatDate, mondayOf, parseDate, sayDate } from '../../lib/engine/time/dates.ts';

/**
 * Values that a prerendered text leaves open, because they differ by deployment or by day. A text names them in five
 * forms:
 *
 *     {{BASE_URL}}                              the value
 *     {{#SUPPORT_EMAIL}}…{{/SUPPORT_EMAIL}}     the part between, if the deployment has the value
 *     {{^SUPPORT_EMAIL}}…{{/SUPPORT_EMAIL}}     the part between, if the deployment lacks the value
 *     {{DATE+2}}                                the date of the examples plus two days
 *     {{DAY+2}}                                 that date in words
 *
 * The placeholder of a date is as long as a date, so that code breaks its lines in the same places.
 */
export type Values = Readonly<Record<'BASE_URL' | 'DATE', string> & Partial<Record<Optional, string | undefined>>>;
type Optional = 'SUPPORT_EMAIL' | 'COMPANY_NAME' | 'CONTACT_EMAIL' | 'STYLE';
type Name = keyof Values;

export const placeOf = (name: Exclude<Name, 'DATE'>) => `{{${name}}}`;

/** Returns the two texts as one, of which only the first is shown if the deployment has the value, or else the second. */
export const either = (name: Optional, text: string, other: string) =>
  `{{#${name}}}${text}{{/${name}}}{{^${name}}}${other}{{/${name}}}`;

const NAMES: Record<Name, true> = {
  BASE_URL: true,
  DATE: true,
  SUPPORT_EMAIL: true,
  COMPANY_NAME: true,
  CONTACT_EMAIL: true,
  STYLE: true,
};
const isName = (name: string): name is Name => Object.hasOwn(NAMES, name);

export const fillIn = (text: string, values: Values): string =>
  text
    .replaceAll(/\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/gs, (whole, sign: string, name: string, part: string) => {
      if (!isName(name)) return whole;
      return (values[name] !== undefined) === (sign === '#') ? part : '';
    })
    .replaceAll(/\{\{(\w+)(?:\+(\d))?\}\}/g, (whole, name: string, days?: string) => {
      if (days !== undefined && (name === 'DATE' || name === 'DAY')) {
        const date = formatDate((parseDate(values.DATE) ?? 0) + Number(days));
        return name === 'DAY' ? sayDate(date) : date;
      }
      return isName(name) ? (values[name] ?? '') : whole;
    });

/** The Tuesday of next week, YYYY-MM-DD, so that an example that somebody copies is in the future. */
export const exampleDate = (now: number): string => formatDate(mondayOf(Math.floor(now / DAY)) + 8);
