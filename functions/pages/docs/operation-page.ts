import { ERRORS, ERRORS_PATH } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import type { OpenapiDocument } from '../../http/files.ts';
import { codeOf, fenced, jsonOf } from './call.ts';
import { bodiesOf, codesOf, describedAs, examplesIn, fieldRows, type OPERATIONS, tablesOfBody } from './fields.ts';
import { tableOf } from './markdown.ts';

type Documented = (typeof OPERATIONS)[number];

const KEYS: Record<Operation['key'], string> = {
  platform: "Takes your platform's secret key.",
  user: "Takes a person's own key.",
  none: 'Takes no key.',
  open: 'Takes no key.',
};

const VARIABLES: Partial<Record<Operation['key'], string>> = { platform: 'TANDEM_API_KEY', user: 'TANDEM_USER_KEY' };

export const requestLine = ({ method, path }: Pick<Operation, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`;

export function operationText(document: OpenapiDocument, operation: Documented): string {
  const { description, parameters } = describedAs(document, operation);
  const { request, response, status } = bodiesOf(document, operation);
  const { schemas } = document.components;
  const rows = parameters.map(({ name, in: place, required, schema, description: about }) => {
    const [row] = fieldRows({ properties: { [name]: schema } }, schemas);
    return [`\`${name}\`${required ? '\u00a0*' : ''}`, place, row?.type ?? '', about];
  });
  const hasStar = request !== undefined || rows.some(([name]) => name?.endsWith('*'));
  return [
    `\`${requestLine(operation)}\``,
    description,
    `${KEYS[operation.key]}${hasStar ? ' A field marked * must be sent, or is always returned.' : ''}`,
    ...(rows.length === 0 ? [] : ['## Parameters', tableOf(['Name', 'In', 'Type', 'Description'], rows)]),
    ...(request === undefined ? [] : ['## Body', tablesOfBody(request, schemas)]),
    ...(response === undefined ? [] : [`## Response ${status}`, operation.answer.is, tablesOfBody(response, schemas)]),
    '## Errors',
    codesOf(document, operation)
      .map((code) => `[${ERRORS[code].status}\u00a0${code}](${ERRORS_PATH}#${code})`)
      .join(', '),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

export function operationCode(document: OpenapiDocument, operation: Documented): string {
  const { method, path, key, takesIdempotencyKey } = operation;
  const { parameters } = describedAs(document, operation);
  const { request, response } = bodiesOf(document, operation);
  const filled = parameters.reduce(
    (text, { name, in: place, example }) =>
      place === 'path' && example !== undefined ? text.replace(`{${name}}`, String(example)) : text,
    path,
  );
  const query = parameters
    .filter(({ in: place, required, example }) => place === 'query' && required && example !== undefined)
    .map(({ name, example }) => `${name}=${example}`)
    .join('&');
  const examples = request === undefined ? [{ summary: undefined, value: undefined }] : examplesIn(request);
  const calls = examples.flatMap(({ summary, value }, at) => [
    summary,
    fenced(
      codeOf({
        method: method.toUpperCase(),
        path: query === '' ? filled : `${filled}?${query}`,
        body: typeof value === 'object' && value !== null ? value : undefined,
        keyIn: VARIABLES[key] ?? null,
        returnsPage: response === undefined,
        ...(takesIdempotencyKey === true ? { idempotencyKey: `order-${4_711 + at}` } : {}),
      }),
    ),
  ]);
  const answers = response === undefined ? [] : examplesIn(response);
  return [
    ...calls,
    ...answers.flatMap(({ summary = 'Response', value }) => [summary, fenced([['json', jsonOf(value)]])]),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}
