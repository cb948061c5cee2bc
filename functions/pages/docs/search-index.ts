import type { Token } from 'marked';
import { type Block, textOf } from './blocks.ts';
import type { Page } from './pages.ts';

/** A place in the documentation that the search can find: a page, a section, or a table's row with an ID. */
export interface Place {
  /** Address of the place, such as `/docs/errors#forbidden`. */
  to: string;
  /** Title of its page. */
  page: string;
  /** Heading of the place. The heading of a page's beginning is the title of the page. */
  title: string;
  /** Method, path and ID of an operation. */
  names?: string;
  /** Words that people use for the page's topic and the page does not, separated by commas. */
  words?: string;
  text: string;
  /** True for a row. A section with the same heading says more. */
  isRow?: true;
}

/**
 * Splits a page into places. The text of a place ends where the next place begins, so that no text is found twice. Blocks
 * of code are left out, because they repeat the words of the reference in every language.
 */
export function placesOf(
  { path, title, names, words }: Pick<Page, 'path' | 'title' | 'names' | 'words'>,
  blocks: readonly Block[],
): Place[] {
  let section: Place = {
    to: path,
    page: title,
    title,
    ...(names === undefined ? {} : { names }),
    ...(words === undefined ? {} : { words }),
    text: '',
  };
  const places = [section];
  const add = (tokens: readonly Token[]) => {
    section.text += ` ${textOf(tokens)}`;
  };
  for (const block of blocks) {
    if (block.kind === 'heading') {
      section = { to: `${path}#${block.id}`, page: title, title: textOf(block.token.tokens), text: '' };
      places.push(section);
    } else if (block.kind === 'table') {
      block.token.rows.forEach(([first, ...others], row) => {
        const id = block.ids[row];
        const text = others.map(({ tokens }) => textOf(tokens)).join(' ');
        if (id === undefined) section.text += ` ${textOf(first?.tokens ?? [])} ${text}`;
        else places.push({ to: `${path}#${id}`, page: title, title: id, text, isRow: true });
      });
    } else if (block.kind === 'text') {
      add([block.token]);
    }
  }
  return places.map((place) => ({ ...place, text: place.text.replaceAll(/\s+/g, ' ').trim() }));
}
