import * as z from 'zod';
import { world } from './world.ts';

const Query = z.object({ query: z.string(), params: z.array(z.unknown()).default([]) });
const Body = z.union([
  z.object({ queries: z.array(Query) }).transform(({ queries }) => queries),
  Query.transform((one) => [one]),
]);
type Statement = z.infer<typeof Query>;

/** Runs a request, and returns with its answer the statements that the Worker sent to Postgres meanwhile, in any order. */
export async function statementsOf<A>(request: () => Promise<A>): Promise<{ answer: A; statements: Statement[] }> {
  const statements: Statement[] = [];
  const send = world.neon.fetch;
  world.neon.fetch = async (sent) => {
    statements.push(...Body.parse(await sent.clone().json()));
    return send(sent);
  };
  try {
    return { answer: await request(), statements };
  } finally {
    world.neon.fetch = send;
  }
}

interface Node {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Node[];
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];

/** Counts the rows that these statements take from these tables, run again. Leaves out statements that write. */
export async function rowsRead(statements: readonly Statement[], tables: readonly string[]): Promise<number> {
  let count = 0;
  for (const { query, params } of statements) {
    if (!/^\s*select/i.test(query) || /for update|for no key/i.test(query)) continue;
    const [row] = await world.neon.query(`explain (analyze, format json) ${query}`, params);
    const plan = row?.['QUERY PLAN'] as string | [{ Plan: Node }];
    const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Node }];
    for (const node of flat(Plan))
      if (tables.includes(node['Relation Name'] ?? '')) count += node['Actual Rows'] * node['Actual Loops'];
  }
  return count;
}
