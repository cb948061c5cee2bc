import { GROUPS } from '../../http/groups.ts';
import type { OpenapiDocument } from '../../http/openapi-document.ts';
import { type Content, describedAs } from './described.ts';
import { tableOf } from './markdown.ts';
import { type FieldRow, fieldRows, type Named, shapesOf } from './schema-rows.ts';

export const OPERATIONS = GROUPS.flatMap(({ operations }) => operations);

const JSON_TYPE = 'application/json';

/** Returns the bodies of an operation's request and of its successful response. */
export function bodiesOf(document: OpenapiDocument, operation: (typeof OPERATIONS)[number]) {
  const { requestBody, responses } = describedAs(document, operation);
  const status = String(operation.answer.status ?? 200);
  return { status, request: requestBody?.content[JSON_TYPE], response: responses[status]?.content?.[JSON_TYPE] };
}

/** Writes fields as a table. A star marks those that must be sent, or are always returned. */
export const tableOfRows = (rows: readonly FieldRow[]) =>
  tableOf(
    ['Field', 'Type', 'Description'],
    rows.map(({ name, isRequired, type, description }) => [
      `\`${name}\`${isRequired ? '\u00a0*' : ''}`,
      type,
      description,
    ]),
  );

/** Writes the fields of a body. A body that can have several shapes gets a table for each. */
export function tablesOfBody({ schema }: Content, named: Named): string {
  const shapes = shapesOf(schema, named);
  return shapes
    .flatMap((shape, at) => [
      ...(shapes.length === 1 ? [] : [at === 0 ? 'Either:' : 'Or:']),
      tableOfRows(fieldRows(shape, named)),
    ])
    .join('\n\n');
}
