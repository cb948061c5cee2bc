import packageJson from '../../../package.json' with { type: 'json' };
import { GROUPS } from '../../groups.ts';
import { DOCS } from './frame.tsx';
import { groupPath } from './reference.tsx';

/** Returns the documentation as a list of links for language models, in the format of llmstxt.org. */
export function llmsText(baseUrl: string): string {
  const link = (title: string, path: string, about: string) => `- [${title}](${baseUrl}${path}): ${about}`;
  return [
    '# Tandem',
    '',
    `> ${packageJson.description}`,
    '',
    'The API is JSON over HTTPS with `Authorization: Bearer <secret key>`. Send date-times in ISO 8601 with an offset or Z. A date-time without an offset is refused. Send an `Idempotency-Key` with each request that books, moves or cancels a meeting. Every error has a `code`, a `message` that says what to do, and a link to its documentation.',
    '',
    '## Docs',
    '',
    ...DOCS.map(({ path, title, about }) => link(title, `${path}.md`, about)),
    '',
    '## Operations',
    '',
    ...GROUPS.flatMap(({ tag, operations }) =>
      operations.map(({ id, method, path, summary }) =>
        link(`${method.toUpperCase()} ${path}`, `${groupPath({ tag })}.md#${id}`, summary),
      ),
    ),
    '',
    '## Optional',
    '',
    link('openapi.json', '/openapi.json', 'the whole API and its webhooks as an OpenAPI 3.1 document'),
    '',
  ].join('\n');
}
