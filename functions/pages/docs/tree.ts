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

export type PageName = (typeof SECTIONS)[number]['pages'][number];

/** Names of the pages in reading order. */
export const PAGE_NAMES: readonly PageName[] = SECTIONS.flatMap(({ pages }): PageName[] => [...pages]);

/** Returns the address of a page. */
export const addressOf = (name: PageName) => (name === 'quickstart' ? '/docs' : `/docs/${name}`);
