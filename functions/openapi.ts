import { Hono } from 'hono';
import document from '../schema/openapi.json' with { type: 'json' };
import type { AppEnv } from './env.ts';

/** OpenAPI document with this Worker's own address, serialized once per isolate. */
let written: string | undefined;

export const openapi = new Hono<AppEnv>();

openapi.get('/openapi.json', (c) => {
  written ??= withAddress(c.var.env.BASE_URL);
  return c.body(written, 200, { 'Content-Type': 'application/json' });
});

function withAddress(baseUrl: string): string {
  const info = { ...document.info, contact: { ...document.info.contact, url: baseUrl } };
  return JSON.stringify({ ...document, info, servers: [{ url: baseUrl }] });
}
