/** A cell of a table as HTML, and its text. */
export interface Cell {
  html: string;
  text: string;
}

/** Columns whose cells speak for themselves, so that a card on a phone does not name them. */
const UNNAMED = new Set(['Type', 'Description', 'What it does', 'When', 'Request', '']);
const SHORT = 22;

/**
 * On a phone, rows of a wide table become cards titled by the first cell, which two columns of equal rank are not: each
 * cell is named. `ids` let links point at rows.
 */
export function tableHtml(
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  ids: readonly (string | undefined)[],
): string {
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
