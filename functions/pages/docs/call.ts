import { CLIENT_PATH } from '../../http/files.ts';
import { GROUPS, type NamedOperation } from '../../http/groups.ts';
import { placeholder } from '../prerendered.ts';

interface ApiCall {
  /** Environment variable with the server's address, which is that of this Tandem if absent. */
  originIn?: string;
  method: string;
  path: string;
  body?: object | undefined;
  idempotencyKey?: string;
  /** Environment variable with the API key, or null for a call without one. */
  keyIn?: string | null;
  returnsPage?: boolean;
  /** True if the answer is an error, so that JavaScript too prints the error instead of throwing it. */
  isRefused?: boolean;
}

/** A block of code as Markdown fences it: the language with what stands after it, and the code. */
export type Fence = readonly [language: string, code: string];

type Notation = 'json' | 'node' | 'python';

const WIDTH = 74;
const CONSTANTS: Partial<Record<Notation, Record<string, string>>> = {
  python: { true: 'True', false: 'False', null: 'None' },
};

function literal(value: unknown, notation: Notation, indent: number, before = 0): string {
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    if (typeof value === 'string' && notation === 'node' && !/['\\]/.test(value)) return `'${value}'`;
    return CONSTANTS[notation]?.[text] ?? text;
  }
  const [start, end] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((one) => ['', one] as const)
    : Object.entries(value).map(([name, one]) => [`${keyOf(name, notation)}: `, one] as const);
  const pad = notation === 'node' && start === '{' && parts.length > 0 ? ' ' : '';
  const line = parts.map(([name, one]) => name + literal(one, notation, -1_000)).join(', ');
  if (indent < 0 || indent + before + line.length + 2 <= WIDTH) return `${start}${pad}${line}${pad}${end}`;
  const inner = indent + (notation === 'python' ? 4 : 2);
  const lines = parts.map(
    ([name, one]) => `${' '.repeat(inner)}${name}${literal(one, notation, inner, name.length + 1)}`,
  );
  const last = notation === 'json' ? '' : ',';
  return `${start}\n${lines.join(',\n')}${last}\n${' '.repeat(indent)}${end}`;
}

function keyOf(name: string, notation: Notation): string {
  if (notation !== 'node') return JSON.stringify(name);
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}

export const jsonOf = (value: unknown) => literal(value, 'json', 0);

/** Node uses Tandem's client, or `fetch` for a call that the client lacks. Python needs no package. */
export function codeOf(call: ApiCall): Fence[] {
  const { originIn, method, path, body, idempotencyKey, keyIn = 'TANDEM_API_KEY' } = call;
  const url = placeholder('BASE_URL') + path;
  const [shellUrl, nodeUrl, pythonUrl] =
    originIn === undefined
      ? [/[?&]/.test(url) ? `'${url}'` : url, `'${url}'`, `"${url}"`]
      : [`"$${originIn}${path}"`, `\`\${process.env.${originIn}}${path}\``, `os.environ["${originIn}"] + "${path}"`];
  const extra: [string, string][] = [
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
    ...(idempotencyKey === undefined ? [] : [['Idempotency-Key', idempotencyKey] as [string, string]]),
  ];
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const curl = [
    `curl -s ${isImplied ? '' : `-X ${method} `}${shellUrl}`,
    ...(keyIn === null ? [] : [`-H "Authorization: Bearer $${keyIn}"`]),
    ...extra.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d '${literal(body, 'json', 2, 4).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
  const node = clientOf(call) ?? fetchOf(call, nodeUrl, extra);
  const python = pythonOf(call, pythonUrl, extra);
  // A server for tests answers some calls with nothing.
  const isPage = call.returnsPage === true || originIn !== undefined;
  return [
    ['sh', curl],
    ['js', isPage ? node.replace('.json()', '.text()') : node],
    ['python', isPage ? python.replace(PYTHON_JSON, PYTHON_TEXT) : python],
  ];
}

const PYTHON_JSON = 'json.dumps(json.load(response), indent=2)';
const PYTHON_TEXT = 'response.read().decode()';

function clientOf(call: ApiCall): string | undefined {
  const { keyIn, isRefused = false } = call;
  const found = clientCallOf(call);
  if (found === undefined) return undefined;
  const baseUrl = placeholder('BASE_URL');
  const indent = isRefused ? 2 : 0;
  let line = `${' '.repeat(indent)}const answer = await tandem.${found.method}(`;
  for (const [at, one] of found.args.entries()) {
    if (at > 0) line += ', ';
    line += literal(one, 'node', indent, line.length - line.lastIndexOf('\n') + 1 - indent);
  }
  line += `);\n${' '.repeat(indent)}console.log(answer);`;
  return `// npm install ${baseUrl}${CLIENT_PATH}
import { createTandem } from '@tandem-api/client';

const tandem = createTandem({
  apiKey: process.env.${keyIn ?? 'TANDEM_API_KEY'},
  baseUrl: '${baseUrl}',
});
${isRefused ? `try {\n${line}\n} catch (error) {\n  console.log(error.status, error.code, error.message, error.facts);\n}` : line}`;
}

function fetchOf({ method, body, keyIn = 'TANDEM_API_KEY' }: ApiCall, url: string, extra: [string, string][]) {
  const headers = [
    ...(keyIn === null ? [] : [`Authorization: \`Bearer \${process.env.${keyIn}}\``]),
    ...extra.map(([name, value]) => `'${name}': '${value}'`),
  ];
  const fields = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...headersIn(headers, ['headers: {', ' ', '  ']),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, 'node', 2, 22)})`]),
  ];
  const options = fields.length === 0 ? '' : `, {\n${fields.map((one) => `  ${one},\n`).join('')}}`;
  return `const response = await fetch(${url}${options});\nconsole.log(await response.json());`;
}

function headersIn(headers: string[], [start, blank, indent]: [string, string, string]): string[] {
  if (headers.length < 2) return headers.map((one) => `${start}${blank}${one}${blank}}`);
  return [`${start}\n${headers.map((one) => `${indent}${indent}${one},\n`).join('')}${indent}}`];
}

function pythonOf(call: ApiCall, url: string, extra: [string, string][]) {
  const { method, body, keyIn = 'TANDEM_API_KEY', returnsPage = false } = call;
  const headers = [
    ...(keyIn === null ? [] : [`"Authorization": "Bearer " + os.environ["${keyIn}"]`]),
    ...extra.map(([name, value]) => `"${name}": "${value}"`),
  ];
  const fields = [
    url,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...headersIn(headers, ['headers={', '', '    ']),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, 'python', 4, 16)}).encode()`]),
  ];
  const sent = ['with urllib.request.urlopen(request) as response:', `    print(${PYTHON_JSON})`];
  const caught = [
    'try:',
    ...sent.map((line) => `    ${line}`),
    'except urllib.error.HTTPError as refused:',
    '    print(refused.code, json.dumps(json.load(refused), indent=2))',
  ];
  const needsOs = keyIn !== null || url.startsWith('os.');
  return [
    `import json${needsOs ? ', os' : ''}, ${returnsPage ? '' : 'urllib.error, '}urllib.request`,
    '',
    `request = urllib.request.Request(\n${fields.map((one) => `    ${one},\n`).join('')})`,
    ...(returnsPage ? sent : caught),
  ].join('\n');
}

type ClientCall = { method: string; args: unknown[] };

/** Operations whose response is a page or a document of its own. The client has no method for them. */
const hasMethod = ({ id, answer }: NamedOperation) => 'schema' in answer && id !== 'getOpenapi';

const OPERATIONS = GROUPS.flatMap(({ operations }) => operations)
  .filter(hasMethod)
  .map((operation) => ({ operation, pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }));

/** Undefined without a method. It takes the path's parameters, then the body or the query, then the options. */
function clientCallOf({ method, path, body, idempotencyKey }: ApiCall): ClientCall | undefined {
  const { pathname, searchParams } = new URL(path, 'https://api.invalid');
  const found = OPERATIONS.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(decodeURI(pathname)),
  );
  if (found === undefined) return undefined;
  const { operation, pattern } = found;
  const args: unknown[] = (pattern.exec(decodeURI(pathname)) ?? []).slice(1);
  const options = idempotencyKey === undefined ? [] : [{ idempotencyKey }];
  if (operation.body !== undefined && (body !== undefined || options.length > 0)) args.push(body ?? {});
  const query = [...searchParams].map(([name, value]) => [name, typed(value)] as const);
  // The client takes the address of a person by itself, also where the API takes it in the query.
  if (operation.id === 'getPlatformUserStatus') args.push(searchParams.get('email'));
  else if (query.length > 0) args.push(Object.fromEntries(query));
  return { method: operation.id, args: [...args, ...options] };
}

const typed = (value: string) => (/^(?:\d+|true|false)$/.test(value) ? (JSON.parse(value) as number | boolean) : value);

/** `$NAME` before the path names another server, and `Authorization` a variable with another key, or `none`. */
function callIn(request: string): ApiCall {
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
