import { InternalError } from '../../lib/kit/errors.ts';
import type { Env } from './env.ts';

/** Reads one of the Worker's static assets, `.build/assets`, by its path. The answer is 404 if there is no such asset. */
export async function readAsset({ ASSETS }: Pick<Env, 'ASSETS'>, path: string): Promise<Response> {
  if (ASSETS === undefined) throw new InternalError('The binding ASSETS is missing.');
  // The binding ignores the host, but requires a whole URL.
  const response = await ASSETS.fetch(`https://assets.local${path}`);
  if (!response.ok && response.status !== 404)
    throw new InternalError(`The asset ${path} was answered with HTTP ${response.status}.`);
  return response;
}
