import { Marked, type Token, type Tokens } from 'marked';
import type { Fence } from './call.ts';

/** A part of a page. Blocks of code without an empty line between them are one part. */
export type Block =
  | { kind: 'heading'; id: string; depth: number; token: Tokens.Heading }
  | { kind: 'code'; fences: Fence[] }
  | { kind: 'table'; token: Tokens.Table; ids: (string | undefined)[] }
  | { kind: 'figure'; name: string }
  | { kind: 'text'; token: Token };

/** A figure, which only the page shows and not its Markdown. */
export const FIGURE = /^\{\{figure (\w+)\}\}\n*$/m;

/** Makes the Markdown reader of the docs: a bare address is no link. */
export const createMarked = () => new Marked({ gfm: true, tokenizer: { url: () => undefined } });

/** Headings get IDs and, if `hasRows`, so do rows of tables that begin with a name. */
export function blocksOf(name: string, markdown: string, hasRows = true): Block[] {
  const taken = new Set<string>();
  const take = (id: string | undefined) => {
    if (id === undefined || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  };
  const blocks: Block[] = [];
  let isApart = true;
  for (const token of createMarked().lexer(markdown)) {
    if (token.type === 'heading') {
      const heading = token as Tokens.Heading;
      const id = take(idOf(heading.text));
      if (id === undefined) throw new Error(`${name} has two headings with the ID ${idOf(heading.text)}`);
      blocks.push({ kind: 'heading', id, depth: heading.depth, token: heading });
    } else if (token.type === 'code') {
      const last = blocks.at(-1);
      const fence: Fence = [token.lang ?? '', token.text];
      if (last?.kind === 'code' && !isApart) last.fences.push(fence);
      else blocks.push({ kind: 'code', fences: [fence] });
    } else if (token.type === 'table') {
      const table = token as Tokens.Table;
      blocks.push({
        kind: 'table',
        token: table,
        ids: table.rows.map(([first]) => (hasRows ? take(nameIn(first)) : undefined)),
      });
    } else if (token.type !== 'space') {
      const [, figure] = FIGURE.exec(token.raw) ?? [];
      blocks.push(figure === undefined ? { kind: 'text', token } : { kind: 'figure', name: figure });
    }
    isApart = token.type === 'space';
  }
  return blocks;
}

/** Returns the ID of a heading: its words with dashes between them, or a single name of code as it is. */
export const idOf = (heading: string) =>
  /^`[^`]+`$/.test(heading)
    ? heading.slice(1, -1)
    : heading.toLowerCase().replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '');

/** Returns the name in a cell that has only one name of code, which may be a link. */
function nameIn(cell: Tokens.TableCell | undefined): string | undefined {
  const [only, ...others] = cell?.tokens ?? [];
  const [inner] = only?.type === 'link' ? (only.tokens ?? []) : [only];
  const isName = inner?.type === 'codespan' && others.length === 0 && /^[\w.@-]+$/.test(String(inner.text));
  return isName ? String(inner.text) : undefined;
}

export const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token): string => {
      const { type, text, items, tokens: inside }: Tokens.Generic = token;
      if (type === 'list') return textOf(items);
      if (type === 'code') return '';
      return inside === undefined ? String(text ?? '') : `${textOf(inside)}${type === 'list_item' ? ' ' : ''}`;
    })
    .join('');
