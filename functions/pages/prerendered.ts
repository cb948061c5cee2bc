import type { Context } from 'hono';
import { html } from 'hono/html';
import type { AppEnv } from '../http/env.ts';
import { readAsset } from '../http/files.ts';
import { exampleDate, fillIn, type Values } from './placeholders.ts';
import { baseStyleOf } from './shared-style.ts';

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
