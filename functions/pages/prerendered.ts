import type { Context } from 'hono';
import { html } from 'hono/html';
import { DAY, formatDate, mondayOf, parseDate, sayDate } from '../../lib/engine/time/dates.ts';
import { InternalError } from '../../lib/kit/errors.ts';
import type { AppEnv } from '../http/env.ts';
import { readAsset } from '../http/files.ts';

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
const NAMES = ['BASE_URL', 'DATE', 'SUPPORT_EMAIL', 'COMPANY_NAME', 'CONTACT_EMAIL', 'STYLE'] as const;
type Name = (typeof NAMES)[number];
type Optional = Exclude<Name, 'BASE_URL' | 'DATE'>;
type Values = Readonly<Record<'BASE_URL' | 'DATE', string> & Partial<Record<Optional, string | undefined>>>;

export const placeholder = (name: Exclude<Name, 'DATE'>) => `{{${name}}}`;

/** Returns the two texts as one, of which only the first is shown if the deployment has the value, or else the second. */
export const either = (name: Optional, text: string, other: string) =>
  `{{#${name}}}${text}{{/${name}}}{{^${name}}}${other}{{/${name}}}`;

const isName = (name: string): name is Name => NAMES.some((known) => known === name);

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

/** Fills in this deployment's and day's values, escaped in HTML. Returns undefined if there is no such text. */
export async function readPrerendered(c: Context<AppEnv>, file: string): Promise<string | undefined> {
  const response = await readAsset(c.var.env, `/pages/${file}`);
  if (!response.ok) return undefined;
  return fillIn(
    await response.text(),
    file.endsWith('.html') ? await escaped(valuesOf(c), (await baseStyleOf(c)).text) : valuesOf(c),
  );
}

const valuesOf = ({ var: { env, ctx } }: Context<AppEnv>): Values => ({
  BASE_URL: env.BASE_URL,
  SUPPORT_EMAIL: env.SUPPORT_EMAIL,
  COMPANY_NAME: env.COMPANY_NAME,
  CONTACT_EMAIL: env.CONTACT_EMAIL,
  DATE: exampleDate(ctx.clock.now()),
});

async function escaped(values: Values, STYLE: string): Promise<Values> {
  const all = Object.entries(values).map(async ([name, value]) => [name, value && String(await html`${value}`)]);
  return { ...values, ...Object.fromEntries(await Promise.all(all)), STYLE };
}

type Style = { text: string; hash: string };

/** Read once. A page whose style cannot be read is shown without it, because people can still use it. */
export function createStyleReader(file: `${string}.css`) {
  let style: Style | undefined;
  return async ({ var: { env, ctx } }: Context<AppEnv>): Promise<Style> => {
    if (style !== undefined) return style;
    try {
      const response = await readAsset(env, `/pages/${file}`);
      if (!response.ok) throw new InternalError(`The asset pages/${file} is missing.`);
      const text = await response.text();
      style = { text, hash: await hashOf(text) };
      return style;
    } catch (error) {
      ctx?.log('error', 'the style of the pages cannot be read', { error });
      return { text: '', hash: await hashOf('') };
    }
  };
}

export const styleOf = createStyleReader('style.css');

export const baseStyleOf = createStyleReader('base.css');

export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
