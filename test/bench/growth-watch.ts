import pg from 'pg';
import { type Query, Statements, toText } from '../local/neon.ts';
import type { World } from '../local/world.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

export interface Measured {
  /** Step of the bench that first sent the statement. */
  step: string;
  query: string;
  buffers: number[];
  tookMs: number[];
  /** Nodes of the query plan, each with its index or table, and the tables that were read from end to end. */
  nodes: string[];
  scanned: Set<string>;
}

const SAMPLES = 5;

/**
 * Runs each statement of the product under EXPLAIN and rolls it back, before the statement itself runs. It does so
 * `SAMPLES` times and in the same transaction as the product, so that each statement of a batch sees the effects of
 * those before it.
 */
export function watchStatements({ neon }: World, url: string, currentStep: () => string) {
  const found = new Map<string, Measured>();
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  const answer = neon.fetch;
  neon.fetch = async (request) => {
    const parsed = Statements.safeParse(await request.clone().json());
    for (let sample = 0; sample < SAMPLES; sample += 1) await measure(parsed.data ?? []);
    return answer(request);
  };

  async function measure(statements: Query[]): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      for (const statement of statements) await explain(client, statement);
    } catch {
      // Postgres refused the batch, and will refuse the real batch too.
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  async function explain(client: pg.PoolClient, { query, params }: Query): Promise<void> {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode; 'Execution Time': number }[] }>(
      `explain (analyze, buffers, format json) ${query}`,
      params.map(toText),
    );
    const [result] = rows[0]?.['QUERY PLAN'] ?? [];
    if (result === undefined) throw new Error(`no plan for ${query}`);
    const all = flat(result.Plan);
    const entry = found.get(query) ?? {
      step: currentStep(),
      query,
      buffers: [],
      tookMs: [],
      nodes: [],
      scanned: new Set(),
    };
    found.set(query, entry);
    entry.buffers.push(result.Plan['Shared Hit Blocks'] + result.Plan['Shared Read Blocks']);
    entry.tookMs.push(result['Execution Time']);
    entry.nodes = all.map((node) =>
      [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' '),
    );
    for (const node of all)
      if (node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined)
        entry.scanned.add(node['Relation Name']);
  }

  return {
    /** Returns the measurements since the last call, by statement. */
    take() {
      const taken = new Map(found);
      found.clear();
      return taken;
    },
    async stop() {
      neon.fetch = answer;
      await pool.end();
    },
  };
}

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
