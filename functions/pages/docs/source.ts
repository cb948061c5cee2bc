/** A page as its Markdown file has it. Directives in the body are not resolved yet. */
export interface Source {
  title: string;
  /** One sentence that tells search engines and language models the page's topic. */
  about: string;
  /** Words that people search for and the page does not contain. */
  search: string;
  body: string;
}

/** Texts of the Markdown files by name. */
export type Sources = Readonly<Record<string, string>>;

/** Reads a Markdown file, which begins with `about` and `search` between lines of dashes, and then its title. */
export function readSource(name: string, sources: Sources): Source {
  const text = sources[name] ?? '';
  const [, head, title, body] = /^---\n(.*?)\n---\n+# ([^\n]+)\n(.*)$/s.exec(text) ?? [];
  if (head === undefined || title === undefined || body === undefined)
    throw new Error(`functions/docs/${name}.md must begin with its front matter and its title.`);
  const fields = Object.fromEntries(
    head.split('\n').map((line) => {
      const [, field = line, value = ''] = /^(about|search): (.+)$/.exec(line) ?? [];
      if (value === '') throw new Error(`functions/docs/${name}.md: the front matter has an unknown line: ${line}`);
      return [field, value];
    }),
  );
  if (fields.about === undefined) throw new Error(`functions/docs/${name}.md: \`about\` is missing.`);
  return {
    title,
    about: fields.about,
    search: fields.search ?? '',
    body: body.replaceAll(/<!--.*?-->\n?/gs, '').trim(),
  };
}
