import { Hono } from 'hono';
import type { AppEnv, Env } from './http/env.ts';
import { type OpenapiDocument, readOpenapi } from './http/openapi-document.ts';

/** OpenAPI document with the addresses of an environment, serialized once per isolate. */
let written: { env: Env; text: string } | undefined;

export const openapi = new Hono<AppEnv>();

openapi.get('/openapi.json', async (c) => {
  const { env } = c.var;
  if (written?.env !== env) written = { env, text: withAddresses(await readOpenapi(env), env) };
  return c.body(written.text, 200, { 'Content-Type': 'application/json' });
});

function withAddresses(document: OpenapiDocument, { BASE_URL: url, SUPPORT_EMAIL: email }: Env): string {
  const contact = { ...document.info.contact, url, ...(email === undefined ? {} : { email }) };
  return JSON.stringify({ ...document, info: { ...document.info, contact }, servers: [{ url }] });
}
