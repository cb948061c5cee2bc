import type { Tokens } from 'marked';
import { type Block, createMarked, textOf } from './blocks.ts';
import { codeHtml, escaped } from './code-html.ts';
import { tableHtml } from './table-html.ts';

/** Figures as HTML, by the name that a page uses. */
export type Figures = Readonly<Record<string, string>>;

/** Renders the parts of a page. HTML and images in the Markdown are refused. */
export function htmlOfBlocks(name: string, blocks: readonly Block[], figures: Figures = {}): string {
  const refuse = (what: string): never => {
    throw new Error(`${name} has ${what}`);
  };
  const marked = createMarked().use({
    renderer: {
      html: ({ raw }) => refuse(`HTML: ${raw}`),
      image: ({ raw }) => refuse(`an image: ${raw}`),
      table: ({ raw }) => refuse(`a table in a list: ${raw}`),
      code: ({ lang = '', text }) => codeHtml([[lang, text]]),
      codespan: ({ text }) => `<code>${escaped(text)}</code>`,
      link({ href, tokens }) {
        return `<a href="${escaped(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  const inline = (tokens: Tokens.Generic['tokens'] = []) => marked.Parser.parseInline(tokens, marked.defaults);
  const cellOf = ({ tokens }: Tokens.TableCell) => ({ html: inline(tokens), text: textOf(tokens) });
  return blocks
    .map((block) => {
      if (block.kind === 'code') return codeHtml(block.fences);
      if (block.kind === 'figure') return figures[block.name] ?? refuse(`an unknown figure: ${block.name}`);
      if (block.kind === 'text') return marked.parser([block.token]);
      if (block.kind === 'heading')
        return `<h${block.depth} id="${escaped(block.id)}">${inline(block.token.tokens)}</h${block.depth}>`;
      const { header, rows } = block.token;
      return tableHtml(
        header.map(cellOf),
        rows.map((cells) => cells.map(cellOf)),
        block.ids,
      );
    })
    .join('');
}
