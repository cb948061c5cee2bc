import { ERRORS, ERRORS_PATH } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import { GROUPS } from '../../groups.ts';
import { Sample, Table } from '../components.tsx';
import { type Content, codesOf, describedAs, SCHEMAS } from './described.ts';
import { DocsPage, Words } from './frame.tsx';
import { type FieldRow, fieldRows } from './schema-rows.ts';

export const slugOf = (tag: string) => tag.toLowerCase().replaceAll(/\W+/g, '-');
export const GROUP_PATHS = GROUPS.map(({ tag }) => `/docs/reference/${slugOf(tag)}`);

/** The page that lists all operations by group. */
export function ReferencePage() {
  return (
    <DocsPage path="/docs/reference">
      <p>
        You call the API over HTTPS. Bodies of requests and responses are JSON. Send your API key with each request, in
        the header <code>Authorization: Bearer sk_live_…</code> or <code>X-API-Key: sk_live_…</code>. The file{' '}
        <a href="/openapi.json">openapi.json</a> has this reference as an OpenAPI document, for tools.
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

/** Returns the page that documents all operations of a group in full. Returns undefined if no group has this name. */
export function groupPage(slug: string) {
  const group = GROUPS.find(({ tag }) => slugOf(tag) === slug);
  if (group === undefined) return undefined;
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
        <OperationSection operation={operation} />
      ))}
    </DocsPage>
  );
}

const KEYS: Record<Operation['key'], string> = {
  platform: "Requires a platform's secret key.",
  user: "Requires a person's own key.",
  none: 'Requires no key.',
  open: 'Requires no key.',
};

function OperationSection({ operation }: { operation: Operation }) {
  const { id, method, path, summary, key, answer } = operation;
  const { description, parameters, requestBody, responses } = describedAs(operation);
  const status = String(answer.status ?? 200);
  const body = requestBody?.content['application/json'];
  const success = responses[status]?.content?.['application/json'];
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
          ? ' A field marked * must be in the request, or is always in the response.'
          : ''}
      </p>
      {parameters.length === 0 ? null : (
        <>
          <h3>Parameters</h3>
          <Table
            head={['Name', 'In', 'Type', 'Description']}
            rows={parameters.map((one) => {
              const [row] = fieldRows({ properties: { [one.name]: one.schema } }, SCHEMAS);
              return [nameCell(one.name, one.required), one.in, row?.type, <Words>{one.description}</Words>];
            })}
          />
        </>
      )}
      <Part title="Body" content={body} />
      <Part title={`Response ${status}: ${answer.is}`} content={success} />
      <h3>Errors</h3>
      <p>
        {codesOf(operation).map((code, at) => (
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

function Part({ title, content }: { title: string; content: Content | undefined }) {
  if (content === undefined) return null;
  const rows = fieldRows(content.schema, SCHEMAS);
  return (
    <>
      <h3>{title}</h3>
      <Table head={['Field', 'Type', 'Description']} rows={rows.map(fieldCells)} />
      {content.example === undefined ? null : <Sample>{JSON.stringify(content.example, null, 2)}</Sample>}
    </>
  );
}

const fieldCells = ({ name, type, isRequired, description }: FieldRow) => [
  nameCell(name, isRequired),
  type,
  <Words>{description}</Words>,
];
