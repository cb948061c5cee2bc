import { textOf } from './markdown.ts';

/** A place in the documentation that the search can find: a page, a section, or a table's row with an anchor. */
export interface Place {
  /** Address of the place, such as `/docs/errors#forbidden`. */
  to: string;
  /** Title of its page. */
  page: string;
  /** Heading of the place. The heading of a page's beginning is the title of the page. */
  title: string;
  /** Method, path and ID of an operation. */
  names?: string;
  text: string;
  /** True for a row. A section with the same heading says more. */
  isRow?: true;
}

/**
 * Splits a page of the documentation into places. The text of a place ends where the next place begins, so that no text
 * is found twice. Blocks of code are left out, because they repeat the words of the reference in every language.
 */
export function placesOf(path: string, html: string): Place[] {
  const [, page = '', main = ''] = /<main[^>]*><h1>(.*?)<\/h1>(.*?)<nav aria-label="Previous/s.exec(html) ?? [];
  let section: Place = { to: path, page: textOf(page), title: textOf(page), text: '' };
  const places = [section];
  const add = (id: string, title: string, text: string): Place => {
    const place = { to: `${path}#${id}`, page: textOf(page), title: textOf(title), text: textOf(text) };
    places.push(place);
    return place;
  };
  let operation: string | undefined;
  for (const part of main
    .replaceAll(/<pre.*?<\/pre>|<fieldset.*?<\/fieldset>/gs, ' ')
    .split(/(?=<(?:section|h2|tr) id=)/)) {
    const [, tag, id = ''] = /^<(section|h2|tr) id="([^"]*)"/.exec(part) ?? [];
    if (tag === 'section') {
      operation = id;
    } else if (tag === 'h2') {
      const [, heading = '', text = ''] = /^<h2[^>]*>(.*?)<\/h2>(.*)/s.exec(part) ?? [];
      section = add(operation ?? id, heading.replaceAll(/<span class="badge.*?<\/span>/gs, ''), text);
      if (operation !== undefined) section.names = textOf(/^<p>(.*?)<\/p>/s.exec(text)?.[1] ?? '');
      operation = undefined;
    } else if (tag === 'tr') {
      const [, first = '', others = '', rest = ''] = /^<tr[^>]*><td[^>]*>(.*?)<\/td>(.*?)<\/tr>(.*)/s.exec(part) ?? [];
      add(id, first, others).isRow = true;
      section.text += ` ${textOf(rest)}`;
    } else {
      section.text += ` ${textOf(part)}`;
    }
  }
  return places.map((place) => ({ ...place, text: place.text.trim() }));
}
