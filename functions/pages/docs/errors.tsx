import { ERROR_HELP } from '../../../schema/api/error-help.ts';
import { ERROR_CODES, ERRORS, type ErrorCode, isNested } from '../../../schema/api/http-errors.ts';
import { GROUPS } from '../../groups.ts';
import type { OpenapiDocument } from '../../openapi-document.ts';
import { Table } from '../components.tsx';
import { Block, type Site } from './call.tsx';
import { codesOf } from './described.ts';
import { DocsPage } from './frame.tsx';
import { contactUs, Words } from './words.tsx';

/** A function for Python that sends a request and raises the message of an error. */
const CALL_IN_PYTHON = `import json
import urllib.error
import urllib.request


def call(request):
    """Sends the request and returns Tandem's response. Raises an error with the code and the message."""
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as response:
        body = json.load(response)
        error = body["error"] if isinstance(body["error"], dict) else body
        raise RuntimeError(f"{error['code']}: {error['message']}") from None`;

/**
 * The page that explains every error code. Each code has a row with the code as its HTML id, to which the `docs` link
 * in an error answer leads.
 */
export function ErrorsPage(site: Site) {
  const formats = formatsByCode(site.document);
  return (
    <DocsPage path="/docs/errors">
      <p>
        Every error has a <code>code</code> for your program, a <code>message</code> that says what is wrong and what to
        do, and in <code>docs</code> a link to its row in the table below. Every error also has a{' '}
        <code>request_id</code>, the same ID as in the header <code>X-Request-Id</code>. If an error stays,{' '}
        <Words>{contactUs(site)}</Words> with its <code>request_id</code>.
      </p>
      <p>
        The JSON of an error has one of two formats, nested or flat. The nested format is{' '}
        <code>{'{"error": {"code", "message", …}}'}</code>. The flat format is{' '}
        <code>{'{"error": title, "code", "message", …}'}</code>, where the title is the code in words. Errors on paths
        under <code>/v1/availability</code>, <code>/v1/schedule</code>, <code>/v1/batches</code>,{' '}
        <code>/v1/meetings</code>, <code>/v1/jobs</code> and <code>/v1/proposals</code> are nested, and errors on all
        other paths are flat. One exception applies to every path: errors with the status 401, 403 or 429 and the error{' '}
        <code>not_found</code> are always flat.
      </p>
      <p>
        Tandem's client throws an error with <code>code</code>, whichever format it came in. A program without the
        client takes the object in <code>error</code> if it is one, and the whole body otherwise. In Python,{' '}
        <code>urlopen</code> throws the response of an error, so read the body there:
      </p>
      <Block>{CALL_IN_PYTHON}</Block>
      <Table
        head={['Code', 'Status', 'Format', 'Cause', 'What to do']}
        ids={ERROR_CODES}
        rows={ERROR_CODES.map((code) => [
          <code>{code}</code>,
          ERRORS[code].status,
          [...formats(code)].join(' or '),
          <Words>{ERROR_HELP[code].cause}</Words>,
          <Words>{ERROR_HELP[code].remedy.replace('contact us', contactUs(site))}</Words>,
        ])}
      />
    </DocsPage>
  );
}

/**
 * Returns a function that gives the JSON formats of an error code: those of the endpoints that return it, or of all
 * endpoints if none lists it.
 */
function formatsByCode(document: OpenapiDocument) {
  const operations = GROUPS.flatMap((group) => group.operations);
  const withCodes = operations.map((operation) => ({ ...operation, codes: codesOf(document, operation) }));
  return (code: ErrorCode): Set<'nested' | 'flat'> => {
    const refusing = withCodes.filter(({ codes }) => codes.includes(code));
    const paths = (refusing.length === 0 ? operations : refusing).map(({ path }) => path);
    return new Set(paths.map((path) => (isNested(path, code) ? 'nested' : 'flat')));
  };
}
