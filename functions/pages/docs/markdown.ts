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

const createMarked = () => new Marked({ gfm: true, tokenizer: { url: () => undefined } });

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
      const ids = table.rows.map(([first]) => (hasRows ? take(nameIn(first)) : undefined));
      blocks.push({ kind: 'table', token: table, ids });
    } else if (token.type !== 'space') {
      const [, figure] = FIGURE.exec(token.raw) ?? [];
      blocks.push(figure === undefined ? { kind: 'text', token } : { kind: 'figure', name: figure });
    }
    isApart = token.type === 'space';
  }
  return blocks;
}

/** Returns the ID of a heading: its words with dashes between them, or a single name of code as it is. */
const idOf = (heading: string) =>
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

type Figures = Readonly<Record<string, string>>;

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
      const [head = [], ...below] = [header, ...rows].map((cells) => cells.map(cellOf));
      return tableHtml(head, below, block.ids);
    })
    .join('');
}

export const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n');

type Row = readonly { html: string; text: string }[];

/** Columns whose cells speak for themselves, so that a card on a phone does not name them. */
const UNNAMED = new Set(['Type', 'Description', 'What it does', 'When', 'Request', '']);
const SHORT = 22;

/** Two columns of equal rank title no card, so each of their cells is named. */
function tableHtml(head: Row, rows: readonly Row[], ids: readonly (string | undefined)[]): string {
  const isNarrow = head.length < 4 && rows.flat().every(({ text }) => text.length < SHORT);
  const isPair = head.length === 2 && head.every(({ text }) => !UNNAMED.has(text));
  const titles = head.map(({ html }) => (html === '' ? '<td></td>' : `<th scope="col">${html}</th>`));
  const top = head.every(({ text }) => text === '') ? '' : `<thead><tr>${titles.join('')}</tr></thead>`;
  const lines = rows.map((cells, row) => {
    const id = ids[row] === undefined ? '' : ` id="${ids[row]}"`;
    const shown = cells.map(({ html }, column) => {
      const label = head[column]?.text ?? '';
      const isDate = label === 'Date' ? ' class="date"' : '';
      const isNamed = (isPair || (column > 0 && head.length > 2)) && !isNarrow && !UNNAMED.has(label);
      return `<td${isNamed ? ` data-label="${label}"` : ''}${isDate}>${html}</td>`;
    });
    return `<tr${id}>${shown.join('')}</tr>`;
  });
  return `<table${isNarrow ? '' : ' class="deck"'}>${top}<tbody>${lines.join('')}</tbody></table>`;
}

const LANGUAGES: Readonly<Record<string, string>> = { sh: 'curl', js: 'Node', python: 'Python', go: 'Go' };

export const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const pre = ([language, code]: Fence) =>
  `<pre tabindex="0" data-language="${language}"><code>${escaped(code)}</code></pre>`;

const block = ([info, code]: Fence) => {
  const [language = '', ...about] = info.split(' ');
  const title = about.length === 0 ? '' : `<p class="small muted">${escaped(about.join(' '))}</p>`;
  return `<div class="sample">${title}${pre([language, code])}</div>`;
};

/** Renders blocks of code that belong together: as tabs if each is in another language. */
function codeHtml(fences: readonly Fence[]): string {
  const languages = fences.map(([language]) => language);
  if (fences.length < 2 || new Set(languages).size < fences.length || !languages.every((one) => one in LANGUAGES))
    return fences.map(block).join('');
  const choices = languages.map(
    (language, at) =>
      `<label><input type="radio" name="language" value="${language}"${at === 0 ? ' checked=""' : ''}/>${LANGUAGES[language]}</label>`,
  );
  // The form of each block keeps its radio buttons apart from those of other blocks.
  return `<form class="sample tabs" method="dialog"><fieldset><legend class="hidden">Language</legend>${choices.join('')}</fieldset>${fences.map(pre).join('')}</form>`;
}
