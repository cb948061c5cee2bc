import { GROUPS } from '../../groups.ts';
import { Block, jsonOf, type Site } from './call.tsx';
import { describedAs, examplesIn } from './described.ts';

/** Shows an operation's response from the OpenAPI document, whose examples the tests play on 7 January 2030. */
export function Response({ site, of: id, at = 0 }: { site: Pick<Site, 'document'>; of: string; at?: number }) {
  const operation = GROUPS.flatMap(({ operations }) => operations).find((one) => one.id === id);
  if (operation === undefined) return null;
  const { responses } = describedAs(site.document, operation);
  const content = responses[String(operation.answer.status ?? 200)]?.content?.['application/json'];
  const example = content === undefined ? undefined : examplesIn(content)[at];
  return example === undefined ? null : (
    <Block title="Response (an example of 7 January 2030)">{jsonOf(example.value)}</Block>
  );
}
