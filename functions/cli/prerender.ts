import type { OpenapiDocument } from '../http/files.ts';
import { openapiDocument } from '../openapi/document.ts';
import { BASE_STYLE } from '../pages/base-style.ts';
import { prerenderDocs } from '../pages/docs/prerender.tsx';
import type { Sources } from '../pages/docs/source.ts';
import { prerenderLegal } from '../pages/legal/pages.tsx';
import { STYLE } from '../pages/style.ts';

export const openapiText = () => `${JSON.stringify(openapiDocument('https://api.tandem.example'), null, 2)}\n`;

export async function prerender(sources: Sources): Promise<Record<string, string>> {
  const openapi = openapiText();
  const pages = {
    ...(await prerenderDocs(JSON.parse(openapi) as OpenapiDocument, sources)),
    ...(await prerenderLegal()),
    'base.css': BASE_STYLE,
    'style.css': STYLE,
  };
  return {
    'openapi.json': openapi,
    ...Object.fromEntries(Object.entries(pages).map(([path, text]) => [`pages/${path}`, text])),
  };
}
