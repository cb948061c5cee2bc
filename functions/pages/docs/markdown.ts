const unescaped = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('\u00a0', ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&');

/** Returns the words of HTML as plain text. Paragraphs and cells are separated by spaces. */
export const textOf = (html: string) =>
  unescaped(
    html
      .replaceAll(/<\/?(?:a|b|code|strong|time)\b[^>]*>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

/** Converts HTML within a paragraph or a cell. */
const inline = (html: string) =>
  unescaped(
    html
      .replaceAll(/<code>(.*?)<\/code>/gs, '`$1`')
      .replaceAll(/<(?:strong|b)>(.*?)<\/(?:strong|b)>/gs, '**$1**')
      .replaceAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs, '[$2]($1)')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

function table(html: string): string {
  const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => inline(cell).replaceAll('|', '\\|')),
  );
  const [head = [], ...others] = rows;
  return [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const BLOCK =
  /<h([1-3])[^>]*>(.*?)<\/h\1>|<table[^>]*>(.*?)<\/table>|<pre[^>]*?(?: data-language="(\w+)")?><code>(.*?)<\/code><\/pre>|<p[^>]*>(.*?)<\/p>|<li>(.*?)<\/li>/gs;
const FENCES: Record<string, string> = { curl: 'sh', node: 'js' };

/** Converts a page of the documentation to Markdown. It knows only the elements that these pages use. */
export function markdownOf(html: string): string {
  const main = /<main[^>]*>(.*?)<nav aria-label="Previous/s.exec(html)?.[1] ?? '';
  const parts = [...main.matchAll(BLOCK)].map(([, rank, title, rows, language, code, text, item]) => {
    if (rank !== undefined) return `${'#'.repeat(Number(rank))} ${inline(title ?? '')}`;
    if (rows !== undefined) return table(rows);
    if (code !== undefined)
      return `\`\`\`${FENCES[language ?? ''] ?? language ?? ''}\n${unescaped(code).trimEnd()}\n\`\`\``;
    return item === undefined ? inline(text ?? '') : `- ${inline(item)}`;
  });
  return `${parts.join('\n\n').replaceAll(/^(- .*)\n\n(?=- )/gm, '$1\n')}\n`;
}
