import { type Context, Hono } from 'hono';
import { AppError, InternalError } from '../../lib/kit/errors.ts';
import { version } from '../../package.json';
import type { AppEnv, Env } from './env.ts';
import type { Json, JsonSchema, NamedSchemas } from './whole-schema.ts';

/** Reads one of the Worker's static assets, `.build/assets`, by its path. The answer is 404 if there is no such asset. */
export async function readAsset({ ASSETS }: Pick<Env, 'ASSETS'>, path: string): Promise<Response> {
  if (ASSETS === undefined) throw new InternalError('The binding ASSETS is missing.');
  // The binding ignores the host, but requires a whole URL.
  const response = await ASSETS.fetch(`https://assets.local${path}`);
  if (!response.ok && response.status !== 404)
    throw new InternalError(`The asset ${path} was answered with HTTP ${response.status}.`);
  return response;
}

export const CLIENT_PATH = `/client/tandem-api-client-${version}.tgz`;
/** Picture that messengers and social networks show beside a link. Its size is 1200 by 630 pixels. */
export const CARD = { path: '/card.png', width: 1200, height: 630 };
export const ICON_PATH = '/favicon.svg';
export const FEED_PATH = '/docs/changelog.xml';

const TYPES: Record<string, string> = { [CARD.path]: 'image/png', [ICON_PATH]: 'image/svg+xml' };

export const files = new Hono<AppEnv>();

for (const [path, type] of Object.entries(TYPES)) files.get(path, (c) => send(c, path, type));

files.get('/client/:file', (c) => {
  const file = c.req.param('file');
  if (!/^tandem-api-client-\d+\.\d+\.\d+\.tgz$/.test(file)) throw nothingAt(c);
  return send(c, `/client/${file}`, 'application/gzip');
});

async function send(c: Context<AppEnv>, path: string, type: string): Promise<Response> {
  const { ok, body } = await readAsset(c.var.env, path);
  if (!ok) throw nothingAt(c);
  c.header('Cache-Control', 'public, max-age=3600');
  return c.body(body ?? '', 200, { 'Content-Type': type });
}

const nothingAt = (c: Context) =>
  new AppError('not_found', `There is nothing at ${c.req.path}. The client is at ${CLIENT_PATH}.`);

type Examples = Record<string, { summary?: string; value?: unknown }>;
export type Content = { schema: JsonSchema; example?: unknown; examples?: Examples };
type Body = { content?: { 'application/json'?: Content }; required?: boolean };

export interface OpenapiOperation {
  summary: string;
  description?: string;
  parameters?: (Content & { name: string; in: string; required: boolean; description?: string })[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

export interface OpenapiDocument extends Json {
  info: Json & { contact: Json };
  paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>;
  webhooks: Readonly<Record<string, { post: OpenapiOperation }>>;
  components: { schemas: NamedSchemas };
}

let document: OpenapiDocument | undefined;

/** Each isolate reads it once. In the Worker's code it would be a twelfth of the bundle, loaded at each start-up. */
export async function readOpenapi(env: Pick<Env, 'ASSETS'>): Promise<OpenapiDocument> {
  if (document !== undefined) return document;
  const response = await readAsset(env, '/openapi.json');
  if (!response.ok) throw new InternalError('The asset openapi.json is missing.');
  // `npm run build` made the file from the contract.
  document = (await response.json()) as OpenapiDocument;
  return document;
}
