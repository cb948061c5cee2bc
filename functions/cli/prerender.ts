import type { OpenapiDocument } from '../http/files.ts';
import { openapiDocument } from '../openapi/document.ts';
import { type Sources, styleOf } from '../pages/docs/pages.ts';
import { prerenderDocs } from '../pages/docs/prerender.tsx';

export const openapiText = () => `${JSON.stringify(openapiDocument('https://api.tandem.example'), null, 2)}\n`;

export async function prerender(sources: Sources): Promise<Record<string, string>> {
  const openapi = openapiText();
  const base = styleOf(sources, 'base');
  const pages = {
    ...(await prerenderDocs(JSON.parse(openapi) as OpenapiDocument, sources)),
    'base.css': base,
    'style.css': base + styleOf(sources, 'parts', 'week', 'pages'),
  };
  return {
    'openapi.json': openapi,
    ...Object.fromEntries(Object.entries(pages).map(([path, text]) => [`pages/${path}`, text])),
  };
}
