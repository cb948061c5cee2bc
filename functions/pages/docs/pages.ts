import packageJson from '../../../package.json' with { type: 'json' };
import type { OpenapiDocument } from '../../http/files.ts';
import { GROUPS } from '../../http/groups.ts';
import { placeOf } from '../prerendered.ts';
import { createResolver } from './directives.ts';
import { tableOf } from './markdown.ts';
import { ALL_EVENTS, eventCode, eventText, operationCode, operationText, requestLine } from './reference.ts';

/** Pages of the documentation by section, in reading order. Each is a file `functions/docs/<name>.md`. */
export const SECTIONS = [
  { name: 'Start', pages: ['quickstart', 'concepts', 'testing'] },
  {
    name: 'Guides',
    pages: [
      'connect',
      'search',
      'slot-taken',
      'automatic',
      'reschedule',
      'proposals',
      'rounds',
      'webhooks',
      'webhooks/verify',
      'agents',
      'from-cal-com',
      'from-nylas',
    ],
  },
  { name: 'Production', pages: ['going-live', 'authentication', 'idempotency', 'limits', 'data'] },
  { name: 'Reference', pages: ['reference', 'events', 'errors', 'client', 'conventions', 'ranking', 'changelog'] },
] as const;

type PageName = (typeof SECTIONS)[number]['pages'][number];

export const PAGE_NAMES: readonly PageName[] = SECTIONS.flatMap(({ pages }): PageName[] => [...pages]);

export const addressOf = (name: PageName) => (name === 'quickstart' ? '/docs' : `/docs/${name}`);

interface Source {
  title: string;
  /** One sentence that tells search engines and language models the page's topic. */
  about: string;
  search: string | undefined;
  body: string;
}

/** Markdown files by their names, and styles by theirs with `.css`. */
export type Sources = Readonly<Record<string, string>>;

export function readSource(name: string, sources: Sources): Source {
  const text = sources[name] ?? '';
  const [, head, title, body] = /^---\n(.*?)\n---\n+# ([^\n]+)\n(.*)$/s.exec(text) ?? [];
  if (head === undefined || title === undefined || body === undefined)
    throw new Error(`functions/docs/${name}.md must begin with its front matter and its title.`);
  const fields = Object.fromEntries(
    head.split('\n').map((line) => {
      const [, field = line, value = ''] = /^(about|search): (.+)$/.exec(line) ?? [];
      if (value === '') throw new Error(`functions/docs/${name}.md: the front matter has an unknown line: ${line}`);
      return [field, value];
    }),
  );
  if (fields.about === undefined) throw new Error(`functions/docs/${name}.md: \`about\` is missing.`);
  return { title, about: fields.about, search: fields.search, body: body.replaceAll(/<!--.*?-->\n?/gs, '').trim() };
}

/** Joins styles into one line, without comments and the spaces that CSS does not need. */
export const styleOf = (sources: Sources, ...names: readonly ('base' | 'parts' | 'week' | 'pages' | 'docs')[]) =>
  names
    .map((name) => sources[`${name}.css`])
    .join(' ')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};]) ?|([,:]) /g, '$1$2')
    .trim();

export interface Page {
  path: string;
  title: string;
  about: string;
  names?: string;
  /** Words under which the search finds the page besides its own, separated by commas. */
  words?: string | undefined;
  text: string;
  code?: string;
  within?: string | undefined;
  isList?: boolean;
}

const REFERENCE = addressOf('reference');
const EVENTS = addressOf('events');

export const operationPath = (id: string) => `${REFERENCE}/${id}`;

export const groupPath = ({ tag }: { tag: string }) => `${REFERENCE}/${tag.toLowerCase().replaceAll(' ', '-')}`;

type Group = (typeof GROUPS)[number];

const linkOf = ({ id }: Group['operations'][number]) => `[\`${id}\`](${operationPath(id)})`;

const namesOf = ({ operations }: Group) =>
  tableOf(
    ['Operation', 'Request'],
    operations.map((operation) => [linkOf(operation), `\`${requestLine(operation)}\``]),
  );

const listOf = ({ operations }: Group) =>
  tableOf(
    ['Operation', 'Request', 'What it does'],
    operations.map((operation) => [linkOf(operation), `\`${requestLine(operation)}\``, operation.summary]),
  );

export function writtenPages(document: OpenapiDocument, sources: Sources): Page[] {
  const resolve = createResolver(document);
  return PAGE_NAMES.map((name) => {
    const { title, about, search, body } = readSource(name, sources);
    const lists =
      name === 'reference' ? GROUPS.map((group) => `## [${group.tag}](${groupPath(group)})\n\n${namesOf(group)}`) : [];
    return {
      ...{ path: addressOf(name), title, about },
      words: search?.toLowerCase(),
      text: resolve(name, [body, ...lists].join('\n\n')),
      within: name.includes('/') ? `/docs/${name.replace(/\/.*/, '')}` : undefined,
    };
  });
}

export const referencePages = (document: OpenapiDocument): Page[] =>
  GROUPS.flatMap((group) => [
    {
      path: groupPath(group),
      title: `${group.tag} API`,
      about: group.description,
      text: `${group.description}\n\n${listOf(group)}`,
      within: REFERENCE,
      isList: true,
    },
    ...group.operations.map((operation) => ({
      path: operationPath(operation.id),
      title: operation.summary,
      about: `${requestLine(operation)}: ${operation.summary}, with every field, answer and error.`,
      names: `${requestLine(operation)} ${operation.id}`,
      text: operationText(document, operation),
      code: operationCode(document, operation),
      within: groupPath(group),
    })),
  ]);

export const eventPages = (document: OpenapiDocument): Page[] =>
  ALL_EVENTS.map((type) => ({
    path: `${EVENTS}/${type}`,
    title: type,
    about: `The webhook event ${type}: when Tandem sends it, its fields and an example.`,
    text: eventText(document, type),
    code: eventCode(document, type),
    within: EVENTS,
  }));

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
