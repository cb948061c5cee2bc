import { ERROR_HELP } from '../../../schema/api/error-help.ts';
import { ERROR_CODES, ERRORS, type ErrorCode, isNested } from '../../../schema/api/http-errors.ts';
import { GROUPS } from '../../groups.ts';
import { codesOf } from '../../openapi/refusals.ts';
import { Table } from '../components.tsx';
import { DocsPage, Words } from './frame.tsx';

/** Every code, under the anchor that errors name in `docs`. */
export function ErrorsPage() {
  const formats = formatsByCode();
  return (
    <DocsPage path="/docs/errors">
      <p>
        Every error names its <code>code</code>, the <code>request_id</code> (also in <code>X-Request-Id</code>) and a
        link to its row here. Nested errors are <code>{'{"error": {"code", "message", …}}'}</code>, flat ones{' '}
        <code>{'{"error": title, "code", "message", …}'}</code>. Under <code>/v1/availability</code>,{' '}
        <code>/v1/schedule</code>, <code>/v1/meetings</code> and <code>/v1/jobs</code> they are nested, everywhere else
        flat; 401, 403, 429 and <code>not_found</code> are flat everywhere.
      </p>
      <Table
        head={['Code', 'Status', 'Format', 'Cause', 'What to do']}
        ids={ERROR_CODES}
        rows={ERROR_CODES.map((code) => [
          <code>{code}</code>,
          ERRORS[code].status,
          [...formats(code)].join(' or '),
          <Words>{ERROR_HELP[code].cause}</Words>,
          <Words>{ERROR_HELP[code].remedy}</Words>,
        ])}
      />
    </DocsPage>
  );
}

/** In which formats a code is answered: by the endpoints that refuse with it, or by all where none does of its own. */
function formatsByCode() {
  const operations = GROUPS.flatMap((group) => group.operations);
  const withCodes = operations.map((operation) => ({ ...operation, codes: codesOf(operation) }));
  return (code: ErrorCode): Set<'nested' | 'flat'> => {
    const refusing = withCodes.filter(({ codes }) => codes.includes(code));
    const paths = (refusing.length === 0 ? operations : refusing).map(({ path }) => path);
    return new Set(paths.map((path) => (isNested(path, code) ? 'nested' : 'flat')));
  };
}
