import type pg from 'pg';
import * as z from 'zod';
import { toText } from '../local/neon/text.ts';
import type { World } from '../local/world.ts';

const Query = z.object({ query: z.string(), params: z.array(z.unknown()).default([]) });
const Body = z.union([
  z.object({ queries: z.array(Query) }).transform(({ queries }) => queries),
  Query.transform((one) => [one]),
]);

/** SQL statement that the product sent. */
export type Sent = z.infer<typeof Query>;

export interface Plan {
  /** Duration in milliseconds by the server's clock. */
  tookMs: number;
  /** Nodes of the query plan, each with its index or table, outermost first. */
  nodes: string[];
  /** Number of rows that were read and then discarded by a filter. */
  discarded: number;
  /** Tables that were read from end to end. */
  scanned: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

interface Explained {
  Plan: PlanNode;
  'Execution Time': number;
}

/** Records from now on the statements about deliveries that reach the database. */
export function watchNeon({ neon }: World): { take(): Sent[] } {
  let sent: Sent[] = [];
  const answer = neon.fetch;
  neon.fetch = async (request) => {
    const parsed = Body.safeParse(await request.clone().json());
    for (const statement of parsed.data ?? []) if (/deliver(ies|y_)/.test(statement.query)) sent.push(statement);
    return answer(request);
  };
  return {
    take() {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}

/** Runs a statement once more under EXPLAIN and rolls it back. */
export async function explain(client: pg.Client, { query, params }: Sent): Promise<Plan> {
  await client.query('begin');
  try {
    const explained = `explain (analyze, format json) ${query}`;
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(explained, params.map(toText));
    const [found] = rows[0]?.['QUERY PLAN'] ?? [];
    if (found === undefined) throw new Error(`no plan for ${query}`);
    const { Plan: root, 'Execution Time': tookMs } = found;
    const all = flat(root);
    return {
      tookMs,
      nodes: all.map((node) =>
        [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' '),
      ),
      discarded: all.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'], 0),
      scanned: all.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [])),
    };
  } finally {
    await client.query('rollback');
  }
}

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
