import type { Context } from 'hono';
import { AppError } from '../../lib/kit/errors.ts';
import type { AppEnv } from './env.ts';

/**
 * Returns the values of a header, each once and without the blanks around it. Clients and proxies send a header twice,
 * and the runtime then joins the copies with a comma. A comma in quotes belongs to the value.
 */
export const valuesOf = (header: string | undefined): string[] => [
  ...new Set(((header ?? '').match(/(?:"[^"]*"|[^,])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '')),
];

/**
 * Returns the value of a header that has only one, or an empty text for an empty header. Equal copies count as one.
 * Throws `invalid_request` for different ones.
 */
export function readSingle(
  c: Context<AppEnv>,
  name: string,
  read: (value: string) => string = (value) => value,
): string | undefined {
  const header = c.req.header(name);
  if (header === undefined) return undefined;
  const [value = '', ...others] = new Set(valuesOf(header).map(read));
  if (others.length === 0) return value;
  throw new AppError(
    'invalid_request',
    `The header ${name} has ${others.length + 1} different values. Send one, and put quotes around a value that has a comma.`,
    { field: name },
  );
}
