import type { OpenapiDocument } from '../../functions/openapi-document.ts';
import { BASE_STYLE } from '../../functions/pages/base-style.ts';
import { prerenderDocs } from '../../functions/pages/docs/prerender.tsx';
import { prerenderLegal } from '../../functions/pages/legal/prerender.tsx';
import { STYLE } from '../../functions/pages/style.ts';
import { documentText } from './document.ts';

/** Folder of the committed pages, in which a change of a page shows as a diff. */
export const PAGES = 'schema/assets/pages';

/** Returns the prerendered texts to commit, by their path in `PAGES`. */
export const pageTexts = async (): Promise<Record<string, string>> => ({
  ...(await prerenderDocs(JSON.parse(documentText()) as OpenapiDocument)),
  ...(await prerenderLegal()),
  'base.css': BASE_STYLE,
  'style.css': STYLE,
});
