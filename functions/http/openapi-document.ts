import { InternalError } from '../../lib/kit/errors.ts';
import type { Env } from './env.ts';
import { readAsset } from './files.ts';

type Json = Record<string, unknown>;

/** Parts of the OpenAPI document that the Worker itself reads. */
export interface OpenapiDocument extends Json {
  info: Json & { contact: Json };
  paths: Readonly<Record<string, Readonly<Json>>>;
  webhooks: Readonly<Record<string, unknown>>;
  components: { schemas: Readonly<Record<string, Json>> };
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
