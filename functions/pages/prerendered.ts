import type { Context } from 'hono';
import { html } from 'hono/html';
import { InternalError } from '../../lib/kit/errors.ts';
import type { AppEnv } from '../http/env.ts';
import { readAsset } from '../http/files.ts';
import { exampleDate, fillIn, type Values } from './placeholders.ts';

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

interface Style {
  text: string;
  hash: string;
}

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

/** Returns the style of the pages that the Worker renders. Each isolate reads it once. */
export const styleOf = createStyleReader('style.css');

export const baseStyleOf = createStyleReader('base.css');

export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
