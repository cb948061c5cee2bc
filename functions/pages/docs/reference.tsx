import { ERRORS, ERRORS_PATH } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import { GROUPS } from '../../groups.ts';
import { Badge, Table } from '../components.tsx';
import { Block, Call, jsonOf, type Site } from './call.tsx';
import { type Content, codesOf, describedAs, examplesIn } from './described.ts';
import { DocsPage } from './frame.tsx';
import { slugOf } from './render.ts';
import { type FieldRow, fieldRows, type Named, shapesOf } from './schema-rows.ts';
import { Words } from './words.tsx';

/** Returns the path of the page that documents a group of operations. */
export const groupPath = ({ tag }: { tag: string }) => `/docs/reference/${slugOf(tag)}`;

/** The page that lists all operations by group. */
export function ReferencePage() {
  return (
    <DocsPage path="/docs/reference" within={WITHIN}>
      <p>
        You call the API over HTTPS. Bodies of requests and responses are JSON. Send your API key with each request, in
        the header <code>Authorization: Bearer sk_live_…</code> or <code>X-API-Key: sk_live_…</code>. The file{' '}
        <a href="/openapi.json">openapi.json</a> has this reference as an OpenAPI document, for tools.
      </p>
      {GROUPS.map(({ tag, description, operations }) => (
        <>
          <h2>
            <a href={groupPath({ tag })}>{tag}</a>
          </h2>
          <p>{description}</p>
          <Table
            head={['Operation', { name: 'Request', short: '' }, { name: 'What it does', short: '' }]}
            rows={operations.map(({ id, method, path, summary }) => [
              <a href={`${groupPath({ tag })}#${id}`}>{id}</a>,
              <code>{`${method.toUpperCase()} ${path}`}</code>,
              summary,
            ])}
          />
        </>
      ))}
    </DocsPage>
  );
}

const WITHIN = GROUPS.map((group) => ({ path: groupPath(group), title: group.tag }));

/** The page that documents all operations of a group in full. */
export function GroupPage({ group, site }: { group: (typeof GROUPS)[number]; site: Site }) {
  return (
    <DocsPage path="/docs/reference" title={`Reference: ${group.tag}`} within={WITHIN} current={groupPath(group)}>
      <p>{group.description}</p>
      <ul>
        {group.operations.map(({ id, summary }) => (
          <li>
            <a href={`#${id}`}>{summary}</a>
          </li>
        ))}
      </ul>
      {group.operations.map((operation) => (
        <OperationSection operation={operation} site={site} />
      ))}
    </DocsPage>
  );
}

const KEYS: Record<Operation['key'], string> = {
  platform: "This endpoint requires a platform's secret key.",
  user: "This endpoint requires a person's own API key.",
  none: 'This endpoint requires no API key.',
  open: 'This endpoint requires no API key.',
};

const KINDS = { get: 'info', post: 'ok', put: 'warn', delete: 'bad' } as const;

function OperationSection({ operation, site }: { operation: Operation; site: Site }) {
  const { id, method, path, summary, key, answer } = operation;
  const { document } = site;
  const { description, parameters, requestBody, responses } = describedAs(document, operation);
  const { schemas } = document.components;
  const status = String(answer.status ?? 200);
  const body = requestBody?.content['application/json'];
  const success = responses[status]?.content?.['application/json'];
  return (
    <section id={id}>
      <h2>{summary}</h2>
      <p>
        <Badge kind={KINDS[method]}>{method.toUpperCase()}</Badge> <code>{path}</code> <code>{id}</code>
      </p>
      <div class="beside">
        <div>
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
                head={['Name', 'In', ...TYPE_AND_DESCRIPTION]}
                rows={parameters.map((one) => {
                  const [row] = fieldRows({ properties: { [one.name]: one.schema } }, schemas);
                  return [nameCell(one.name, one.required), one.in, row?.type, <Words>{one.description}</Words>];
                })}
              />
            </>
          )}
          <Fields title="Body" content={body} schemas={schemas} />
          <Fields title={`Response ${status}: ${answer.is}`} content={success} schemas={schemas} />
          <h3>Errors</h3>
          <p>
            {codesOf(document, operation).map((code, at) => (
              <>
                {at === 0 ? '' : ', '}
                <a href={`${ERRORS_PATH}#${code}`}>{`${ERRORS[code].status}\u00a0${code}`}</a>
              </>
            ))}
          </p>
        </div>
        <div>
          <Calls operation={operation} site={site} returnsPage={success === undefined} />
          {success === undefined
            ? null
            : examplesIn(success).map(({ summary: title = 'Response', value }) => (
                <Block title={title}>{jsonOf(value)}</Block>
              ))}
        </div>
      </div>
    </section>
  );
}

/** Shows the example requests of an operation, one for each example of its body. */
function Calls({ operation, site, returnsPage }: { operation: Operation; site: Site; returnsPage: boolean }) {
  const { method, path, key, takesIdempotencyKey } = operation;
  const { parameters, requestBody } = describedAs(site.document, operation);
  const body = requestBody?.content['application/json'];
  const filled = parameters.reduce(
    (text, { name, in: place, example }) =>
      place === 'path' && example !== undefined ? text.replace(`{${name}}`, String(example)) : text,
    path,
  );
  const query = parameters
    .filter(({ in: place, required, example }) => place === 'query' && required && example !== undefined)
    .map(({ name, example }) => `${name}=${example}`)
    .join('&');
  const examples = body === undefined ? [{ summary: undefined, value: undefined }] : examplesIn(body);
  return (
    <>
      {examples.map(({ summary, value }, at) => (
        <>
          {summary === undefined ? null : <p class="small muted">{summary}</p>}
          <Call
            site={site}
            method={METHODS[method]}
            path={query === '' ? filled : `${filled}?${query}`}
            body={typeof value === 'object' && value !== null ? value : undefined}
            keyIn={key === 'platform' ? 'TANDEM_API_KEY' : key === 'user' ? 'TANDEM_USER_KEY' : null}
            returnsPage={returnsPage}
            {...(takesIdempotencyKey === true ? { idempotencyKey: `order-${4_711 + at}` } : {})}
          />
        </>
      ))}
    </>
  );
}

/** Columns whose cells speak for themselves, so that a card on a phone does not name them. */
const TYPE_AND_DESCRIPTION = [
  { name: 'Type', short: '' },
  { name: 'Description', short: '' },
];

const METHODS = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const;

const nameCell = (name: string, isRequired: boolean) => (
  <>
    <code>{name}</code>
    {isRequired ? '\u00a0*' : ''}
  </>
);

interface FieldsProps {
  title: string;
  content: Content | undefined;
  schemas: Named;
}

/** Shows the fields of a body. A body that can have several shapes gets a table for each. */
function Fields({ title, content, schemas }: FieldsProps) {
  if (content === undefined) return null;
  const shapes = shapesOf(content.schema, schemas);
  return (
    <>
      <h3>
        <Words>{title}</Words>
      </h3>
      {shapes.map((shape, at) => (
        <>
          {shapes.length === 1 ? null : <p class="muted">{at === 0 ? 'Either:' : 'Or:'}</p>}
          <Table head={['Field', ...TYPE_AND_DESCRIPTION]} rows={fieldRows(shape, schemas).map(fieldCells)} />
        </>
      ))}
    </>
  );
}

const fieldCells = ({ name, type, isRequired, description }: FieldRow) => [
  nameCell(name, isRequired),
  type,
  <Words>{description}</Words>,
];
