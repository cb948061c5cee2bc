import { circles, type Files, importsOf, reach } from './floors.ts';

/** A figure of how much there is to read: as it is, and what it may not exceed. */
export interface Figure {
  name: string;
  is: number;
  atMost: number;
}

const count = (text: string) => text.split('\n').length - 1;
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
const isCode = (path: string) => /\.(?:tsx?|css)$/.test(path);
const isSource = (path: string) => isCode(path) && /^(?:functions|lib|schema)\//.test(path);

export function figuresOf(files: Files, generated: ReadonlySet<string>): Figure[] {
  const texts = (isMeant: (path: string) => boolean) =>
    [...files].flatMap(([path, text]) => (isMeant(path) ? [text] : []));
  const source = texts(isSource);
  const lines = source.flatMap((text) => text.split('\n'));
  const pages = texts((path) => path.endsWith('.md')).map(words);
  const next = new Map(
    [...files].map(([path, text]) => [path, isSource(path) ? importsOf(path, text).filter((to) => files.has(to)) : []]),
  );
  const { scripts } = JSON.parse(files.get('package.json') ?? '') as { scripts: object };
  return [
    { name: 'source lines, with CSS', is: sum(source.map(count)), atMost: 60_000 },
    {
      name: 'comment lines, in percent',
      is: Math.round((1_000 * lines.filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line)).length) / lines.length) / 10,
      atMost: 10,
    },
    {
      name: 'lines of tests and stand-ins',
      is: sum(texts((path) => isCode(path) && path.startsWith('test/')).map(count)),
      atMost: 75_000,
    },
    { name: 'files in git', is: files.size, atMost: 955 },
    { name: 'generated lines', is: sum(texts((path) => generated.has(path)).map(count)), atMost: 8_000 },
    { name: 'words of Markdown', is: sum(pages), atMost: 35_000 },
    { name: 'words of the longest page', is: Math.max(...pages), atMost: 6_900 },
    { name: 'npm scripts', is: Object.keys(scripts).length, atMost: 22 },
    {
      name: 'folders in a circle',
      is: circles(new Map([...files].filter(([path]) => isSource(path)))).length,
      atMost: 0,
    },
    { name: 'files that the key check reaches', is: reach('functions/middleware/auth.ts', next).size, atMost: 90 },
  ];
}
