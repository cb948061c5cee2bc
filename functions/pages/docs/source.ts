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
  search: string;
  body: string;
}

/** Markdown by the name of its page, and styles by their file's. */
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
  return {
    title,
    about: fields.about,
    search: fields.search ?? '',
    body: body.replaceAll(/<!--.*?-->\n?/gs, '').trim(),
  };
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
