import { readFileSync } from 'node:fs';
import type { OpenapiDocument } from '../../functions/openapi-document.ts';
import { BASE_STYLE } from '../../functions/pages/base-style.ts';
import { prerenderDocs } from '../../functions/pages/docs/prerender.tsx';
import type { Sources } from '../../functions/pages/docs/source.ts';
import { PAGE_NAMES } from '../../functions/pages/docs/tree.ts';
import { prerenderLegal } from '../../functions/pages/legal/prerender.tsx';
import { STYLE } from '../../functions/pages/style.ts';
import { documentText } from './document.ts';

/** Folder of the committed pages, in which a change of a page shows as a diff. */
export const PAGES = 'schema/assets/pages';

/** Folder of the documentation's Markdown files. */
export const DOCS = 'functions/docs';

const sources = () =>
  Object.fromEntries(
    [...PAGE_NAMES, 'home'].map((name) => [name, readFileSync(`${DOCS}/${name}.md`, 'utf8')]),
  ) as Sources;

/** Returns the prerendered texts to commit, by their path in `PAGES`. */
export const pageTexts = async (): Promise<Record<string, string>> => ({
  ...(await prerenderDocs(JSON.parse(documentText()) as OpenapiDocument, sources())),
  ...(await prerenderLegal()),
  'base.css': BASE_STYLE,
  'style.css': STYLE,
});
