import * as z from 'zod';
import { ERRORS, ERRORS_PATH } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import { GROUPS } from '../../groups.ts';
import { describeOperation } from '../../openapi/describe-operation.ts';
import { namedSchemas } from '../../openapi/json-schema.ts';
import { codesOf } from '../../openapi/refusals.ts';
import { Sample, Table } from '../components.tsx';
import { DocsPage, Words } from './frame.tsx';
import { type FieldRow, fieldRows, type Named } from './schema-rows.ts';

const Content = z.object({ schema: z.looseObject({}), example: z.unknown().optional() });
const Body = z.object({ content: z.object({ 'application/json': Content }) });
/** What a reader is shown of an operation as the document has it. */
const Described = z.object({
  description: z.string().optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean(),
        description: z.string().default(''),
        schema: z.looseObject({}),
      }),
    )
    .default([]),
  requestBody: Body.optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});

export const slugOf = (tag: string) => tag.toLowerCase().replaceAll(/\W+/g, '-');
export const GROUP_PATHS = GROUPS.map(({ tag }) => `/docs/reference/${slugOf(tag)}`);

/** All operations, group by group. */
export function ReferencePage() {
  return (
    <DocsPage path="/docs/reference">
      <p>
        JSON over HTTPS, with the key as <code>Authorization: Bearer</code> or <code>X-API-Key</code>. The same as a
        document for tools: <a href="/openapi.json">openapi.json</a>.
      </p>
      {GROUPS.map(({ tag, description, operations }) => (
        <>
          <h2>
            <a href={`/docs/reference/${slugOf(tag)}`}>{tag}</a>
          </h2>
          <p>{description}</p>
          <Table
            head={['Operation', 'Request', 'What it does']}
            rows={operations.map(({ id, method, path, summary }) => [
              <a href={`/docs/reference/${slugOf(tag)}#${id}`}>{id}</a>,
              <code>{`${method.toUpperCase()} ${path}`}</code>,
              summary,
            ])}
          />
        </>
      ))}
    </DocsPage>
  );
}

/** One group's operations in full; undefined for a name that is none of theirs. */
export function groupPage(slug: string) {
  const group = GROUPS.find(({ tag }) => slugOf(tag) === slug);
  if (group === undefined) return undefined;
  const named = namedSchemas() as Named;
  return (
    <DocsPage path="/docs/reference" title={`Reference: ${group.tag}`}>
      <p>{group.description}</p>
      <ul>
        {group.operations.map(({ id, summary }) => (
          <li>
            <a href={`#${id}`}>{summary}</a>
          </li>
        ))}
      </ul>
      {group.operations.map((operation) => (
        <OperationSection operation={operation} tag={group.tag} named={named} />
      ))}
    </DocsPage>
  );
}

const KEYS: Record<Operation['key'], string> = {
  platform: "Needs a platform's secret key.",
  user: "Needs a person's own key.",
  none: 'Needs no key.',
  open: 'Needs no key.',
};

function OperationSection({ operation, tag, named }: { operation: Operation; tag: string; named: Named }) {
  const { id, method, path, summary, key, answer } = operation;
  const { description, parameters, requestBody, responses } = Described.parse(describeOperation(operation, tag));
  const status = String(answer.status ?? 200);
  const body = requestBody?.content['application/json'];
  const success = Body.safeParse(responses[status]).data?.content['application/json'];
  const codes = [...codesOf(operation)].sort((one, other) => ERRORS[one].status - ERRORS[other].status);
  return (
    <section id={id}>
      <h2>{summary}</h2>
      <p>
        <code>{`${method.toUpperCase()} ${path}`}</code> <code>{id}</code>
      </p>
      {description === undefined ? null : (
        <p>
          <Words>{description}</Words>
        </p>
      )}
      <p>
        {KEYS[key]}
        {parameters.some(({ required }) => required) || body !== undefined
          ? ' Fields marked * are required; in answers they are always there.'
          : ''}
      </p>
      {parameters.length === 0 ? null : (
        <>
          <h3>Parameters</h3>
          <Table
            head={['Name', 'In', 'Type', 'About']}
            rows={parameters.map((one) => {
              const [row] = fieldRows({ properties: { [one.name]: one.schema } }, named);
              return [nameCell(one.name, one.required), one.in, row?.type, <Words>{one.description}</Words>];
            })}
          />
        </>
      )}
      <Part title="Body" content={body} named={named} />
      <Part title={`Answer ${status}: ${answer.is}`} content={success} named={named} />
      <h3>Errors</h3>
      <p>
        {codes.map((code, at) => (
          <>
            {at === 0 ? '' : ', '}
            <a href={`${ERRORS_PATH}#${code}`}>{`${ERRORS[code].status}\u00a0${code}`}</a>
          </>
        ))}
      </p>
    </section>
  );
}

const nameCell = (name: string, isRequired: boolean) => (
  <>
    <code>{name}</code>
    {isRequired ? '\u00a0*' : ''}
  </>
);

function Part({
  title,
  content,
  named,
}: {
  title: string;
  content: z.infer<typeof Content> | undefined;
  named: Named;
}) {
  if (content === undefined) return null;
  const rows = fieldRows(content.schema, named);
  return (
    <>
      <h3>{title}</h3>
      <Table head={['Field', 'Type', 'About']} rows={rows.map(fieldCells)} />
      {content.example === undefined ? null : <Sample>{JSON.stringify(content.example, null, 2)}</Sample>}
    </>
  );
}

const fieldCells = ({ name, type, isRequired, description }: FieldRow) => [
  nameCell(name, isRequired),
  type,
  <Words>{description}</Words>,
];
