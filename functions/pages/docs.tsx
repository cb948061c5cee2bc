import { Hono } from 'hono';
import { ERROR_HELP } from '../../schema/api/error-help.ts';
import { ERROR_CODES, ERRORS, ERRORS_PATH, type ErrorCode, isNested } from '../../schema/api/http-errors.ts';
import type { AppEnv } from '../env.ts';
import { GROUPS } from '../groups.ts';
import { codesOf } from '../openapi/refusals.ts';
import { renderFailure } from './failure.tsx';
import { Layout, renderPage } from './layout.tsx';

/** What developers read in a browser. */
export const docs = new Hono<AppEnv>();

docs.onError(renderFailure);

docs.get(ERRORS_PATH, (c) => renderPage(c, <ErrorsPage />));

/** Every code, under the anchor that errors name in `docs`. */
function ErrorsPage() {
  const formats = formatsByCode();
  return (
    <Layout title="Errors" isWide={true}>
      <p>
        Every error names its <code>code</code>, the <code>request_id</code> (also in <code>X-Request-Id</code>) and a
        link to its row here. Nested errors are <code>{'{"error": {"code", "message", …}}'}</code>, flat ones{' '}
        <code>{'{"error": title, "code", "message", …}'}</code>.
      </p>
      <table>
        <thead>
          <tr>
            {['Code', 'Status', 'Format', 'Cause', 'What to do'].map((name) => (
              <th>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ERROR_CODES.map((code) => (
            <tr id={code}>
              <td>
                <code>{code}</code>
              </td>
              <td>{ERRORS[code].status}</td>
              <td>{[...formats(code)].join(' or ')}</td>
              <td>{ERROR_HELP[code].cause}</td>
              <td>{ERROR_HELP[code].remedy}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Layout>
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
