import { parseAst } from 'vitest/node';

/** Comment that esbuild writes in a bundle above the code of each file. */
const FILE = /^\/\/ (\S+\.\w+)$/gm;
const OURS = /^(functions|lib|schema)\//;
/** Set in the Worker, of the files in which a function has run. */
const RAN = 'globalThis.filesRun';

interface Node {
  type: string;
  start: number;
  end: number;
  body?: Node;
}

/** Returns a bundle whose functions note in which of our files they are. The bundle must not be minified. */
export function noteFiles(bundle: string): string {
  const starts = Array.from(bundle.matchAll(FILE), ({ index, 1: name = '' }) => ({ index, name }));
  const fileAt = (offset: number) => starts.findLast(({ index }) => index < offset)?.name ?? '';
  const added: { at: number; text: string }[] = [];
  for (const node of functionsIn(parseAst(bundle))) {
    const file = fileAt(node.start);
    if (!OURS.test(file) || node.body === undefined) continue;
    const note = `${RAN}.add(${JSON.stringify(file)})`;
    if (node.body.type === 'BlockStatement') added.push({ at: node.body.start + 1, text: `${note};` });
    else added.push({ at: node.body.start, text: `(${note}, ` }, { at: node.body.end, text: ')' });
  }
  let [noted, from] = [`${RAN} = new Set();\n`, 0];
  for (const { at, text } of added.sort((a, b) => a.at - b.at)) {
    noted += bundle.slice(from, at) + text;
    from = at;
  }
  return noted + bundle.slice(from);
}

/** Yields every function below a node of the syntax tree. */
function* functionsIn(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && /Function/.test(String(node.type))) yield node as Node;
  for (const child of Object.values(node)) yield* functionsIn(child);
}
