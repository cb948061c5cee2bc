import packageJson from '../../../package.json' with { type: 'json' };
import { GROUPS } from '../../groups.ts';
import { DOCS } from './frame.tsx';
import { slugOf } from './reference.tsx';

/** The pages as a list for models, in the form of llmstxt.org. */
export function llmsText(baseUrl: string): string {
  const link = (title: string, path: string, about: string) => `- [${title}](${baseUrl}${path}): ${about}`;
  return [
    '# Tandem',
    '',
    `> ${packageJson.description}`,
    '',
    'JSON over HTTPS with `Authorization: Bearer <secret key>`. Date-times are ISO 8601 with an offset or Z; one without is refused. What books, moves or cancels takes an `Idempotency-Key`. Every error has a `code`, a `message` that says what to do, and a link.',
    '',
    '## Docs',
    '',
    ...DOCS.map(({ path, title, about }) => link(title, path, about)),
    '',
    '## Operations',
    '',
    ...GROUPS.flatMap(({ tag, operations }) =>
      operations.map(({ id, method, path, summary }) =>
        link(`${method.toUpperCase()} ${path}`, `/docs/reference/${slugOf(tag)}#${id}`, summary),
      ),
    ),
    '',
    '## Optional',
    '',
    link('openapi.json', '/openapi.json', 'the whole API and its webhooks in OpenAPI 3.1'),
    '',
  ].join('\n');
}
