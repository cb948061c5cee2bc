import type { Answer, Row } from './commands.ts';

const text = (value: Row[string]) => (value === null || value === undefined ? '–' : String(value));

/** Prints rows as a table, the fields of one object on a line each, or sentences, or JSON with `json`. */
export function print(answer: Answer, { json }: { json: boolean }): string {
  const one = 'facts' in answer ? answer.facts : answer;
  if (json) return JSON.stringify('rows' in answer ? answer.rows : one, null, 2);
  if ('said' in answer) return answer.key === undefined ? answer.said : `${answer.key}\n${answer.said}`;
  if ('facts' in answer) return columns(Object.entries(answer.facts).map(([name, value]) => [name, text(value)]));
  const [first] = answer.rows;
  if (first === undefined) return answer.none ?? 'There is none.';
  const names = Object.keys(first);
  return columns([names, ...answer.rows.map((row) => names.map((name) => text(row[name])))]);
}

function columns(lines: string[][]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
