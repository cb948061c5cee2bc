import { type ApiCall, codeOf, type Fence } from './call.ts';

/**
 * Method and address, headers, an empty line, the body as JSON. A path is one of this Tandem, and gets the platform's
 * key; before it, a variable can name another server. `Authorization` names a variable with another key, or `none`.
 */
export function callIn(request: string): ApiCall {
  const [head = '', ...rest] = request.trim().split(/\n\s*\n/);
  const [first = '', ...lines] = head.split('\n');
  const [, method, originIn, path] = /^(GET|POST|PUT|DELETE) (?:\$(\w+))?(\/\S*)$/.exec(first) ?? [];
  if (method === undefined || path === undefined) throw new Error(`A call must begin with its method: ${first}`);
  const call: ApiCall = { method, path, ...(originIn === undefined ? {} : { originIn, keyIn: null }) };
  for (const line of lines) {
    const [, key] = /^Authorization: (?:none|Bearer \$(\w+))$/.exec(line) ?? [];
    const [, idempotencyKey] = /^Idempotency-Key: (\S+)$/.exec(line) ?? [];
    if (idempotencyKey !== undefined) call.idempotencyKey = idempotencyKey;
    else if (line.startsWith('Authorization: ')) call.keyIn = key ?? null;
    else throw new Error(`A call has an unknown header: ${line}`);
  }
  if (rest.length > 0) call.body = JSON.parse(rest.join('\n')) as object;
  return call;
}

/** Writes blocks of code as Markdown, without an empty line between them, so that they are shown as tabs. */
export const fenced = (fences: readonly Fence[]) =>
  fences.map(([language, code]) => `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``).join('\n');

/** Replaces each call of a page by its code in every language. A call above an error prints the error. */
export const withCalls = (markdown: string) =>
  markdown.replaceAll(
    /^```http\n(.*?)^```$(\n+(?=```json [45]))?/gms,
    (_, request: string, refused?: string) =>
      fenced(codeOf({ ...callIn(request), isRefused: refused !== undefined })) + (refused ?? ''),
  );
