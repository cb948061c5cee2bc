import type { Child } from 'hono/jsx';
import { placeOf } from '../../placeholders.ts';
import { htmlOf } from '../html-of.ts';

/**
 * Returns the HTML of a documentation page. Each heading of the second rank gets an id, to which links can lead. The
 * addresses of the social card get the service's own address, because the format takes only whole ones.
 */
export async function docsHtmlOf(page: Child): Promise<string> {
  const taken = new Set<string>();
  return (await htmlOf(page))
    .replaceAll(/(<meta property="og:\w+" content=")\//g, `$1${placeOf('BASE_URL')}/`)
    .replaceAll(/<h2>(.*?)<\/h2>/gs, (_, inside: string) => {
      const slug = slugOf(inside.replaceAll(/<[^>]*>|&[^;]*;/g, ''));
      const id = taken.has(slug) ? `${slug}-${taken.size}` : slug;
      taken.add(id);
      return `<h2 id="${id}">${inside}</h2>`;
    });
}

export const slugOf = (text: string) => text.toLowerCase().replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '');
