import packageJson from '../../../package.json' with { type: 'json' };
import { placeOf } from '../placeholders.ts';
import type { Page } from './pages.ts';

/** Returns the documentation as a list of links for language models, in the format of llmstxt.org. */
export function llmsText(written: readonly Page[], reference: readonly Page[]): string {
  const link = (title: string, path: string, about: string) => `- [${title}](${placeOf('BASE_URL')}${path}): ${about}`;
  const operations = reference.filter(({ isList }) => isList !== true);
  return [
    '# Tandem',
    '',
    `> ${packageJson.description}`,
    '',
    'Tandem works with Google Calendar only, and a meeting has exactly two attendees. The API is JSON over HTTPS with `Authorization: Bearer <secret key>`. Send date-times in ISO 8601 with an offset or Z. A date-time without an offset is refused. Send an `Idempotency-Key` with each request that books, moves or cancels a meeting. Every error has a `code`, a `message` that says what to do, and a link to its documentation.',
    '',
    '## Docs',
    '',
    ...written.map(({ path, title, about }) => link(title, `${path}.md`, about)),
    '',
    '## Operations',
    '',
    ...operations.map(({ path, title, names = '' }) => link(names.replace(/ \w+$/, ''), `${path}.md`, title)),
    '',
    '## Optional',
    '',
    link('openapi.json', '/openapi.json', 'the whole API and its webhooks as an OpenAPI 3.1 document'),
    '',
  ].join('\n');
}
