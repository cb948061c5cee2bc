import { GROUPS } from '../../groups.ts';
import { dateIn } from '../../placeholders.ts';
import { Block, jsonOf, type Site } from './call.tsx';
import { type Content, describedAs, examplesIn } from './described.ts';

type Documented = Pick<Site, 'document'>;

/** Dates of the examples in the OpenAPI document from Tuesday, 8 January 2030 on, each the next day. */
const EXAMPLE_DATES = ['2030-01-08', '2030-01-09', '2030-01-10'];

function exampleOf({ document }: Documented, id: string, part: 'body' | 'answer', at: number): unknown {
  const operation = GROUPS.flatMap(({ operations }) => operations).find((one) => one.id === id);
  if (operation === undefined) return undefined;
  const { requestBody, responses } = describedAs(document, operation);
  const shown = part === 'body' ? requestBody : responses[String(operation.answer.status ?? 200)];
  const content: Content | undefined = shown?.content?.['application/json'];
  return content === undefined ? undefined : examplesIn(content)[at]?.value;
}

/**
 * Returns the body of an operation's example request, whose response `Response` shows. Its dates move to the date of the
 * guides' examples and the days after, so that the call works when somebody copies it.
 */
export function requestOf(site: Documented, id: string): object {
  const text = JSON.stringify(exampleOf(site, id, 'body', 0) ?? {});
  return JSON.parse(EXAMPLE_DATES.reduce((all, date, days) => all.replaceAll(date, dateIn(days)), text)) as object;
}

/** Shows an operation's response from the OpenAPI document, whose examples the tests play on 7 January 2030. */
export function Response({ site, of: id, at = 0 }: { site: Documented; of: string; at?: number }) {
  const value = exampleOf(site, id, 'answer', at);
  return value === undefined ? null : (
    <Block title="Response (an example of Monday, 7 January 2030)">{jsonOf(value)}</Block>
  );
}
