import { createHash } from 'node:crypto';
import { PGlite, protocol } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';

const { serialize, messages: kinds } = protocol;

export interface PgliteOptions {
  /** Folder of the data; in memory if absent. */
  dataDir?: string;
  /** Dumped data folder to start from, which saves the seconds of creating one. */
  snapshot?: Blob;
}

interface Pglite extends Backend {
  dump(): Promise<Blob>;
}

/** Prepared statements that are kept. Each takes memory that grows with its SQL. */
const KEPT_STATEMENTS = 400;

/**
 * Opens Postgres inside this process. It has one connection, so sessions wait for one another. It keeps statements
 * prepared from one session to the next, because most of a small statement's time is its parsing and planning.
 */
export async function openPglite({ dataDir, snapshot }: PgliteOptions = {}): Promise<Pglite> {
  const db = await PGlite.create({
    extensions: { btree_gist },
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(snapshot === undefined ? {} : { loadDataDir: snapshot }),
  });
  /** Prepared statements by their SQL. */
  const prepared = new Map<string, string>();
  let isClean = true;
  let last: Promise<unknown> = Promise.resolve();

  /** Sends the statements in one message, because each call into PGlite costs as much as a small statement. */
  const execute: Execute = async (statements) => {
    isClean &&= leavesNothing(statements);
    const { messages, newlyPrepared } = toMessages(statements, prepared);
    const { messages: answers } = await db.execProtocol(messages);
    for (const [sql, name] of newlyPrepared) prepared.set(sql, name);
    return toResults(answers);
  };

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  /** Ends a transaction that failed, and removes what the session may have left, such as settings. */
  async function reset({ hasFailed = false } = {}) {
    if (hasFailed || !isClean) await db.execProtocol(serialize.query('ROLLBACK'));
    if (isClean && prepared.size < KEPT_STATEMENTS) return;
    await db.execProtocol(serialize.query('DISCARD ALL'));
    prepared.clear();
    isClean = true;
  }

  async function session<T>(work: (execute: Execute) => Promise<T>): Promise<T> {
    try {
      const result = await work(execute);
      await reset();
      return result;
    } catch (error) {
      await reset({ hasFailed: true });
      throw error;
    }
  }

  async function migrateAll(migrationsFolder: string): Promise<void> {
    isClean = false;
    await migrate(drizzle(db), { migrationsFolder }).finally(reset);
  }

  return {
    session: (work) => alone(() => session(work)),
    migrate: (migrationsFolder) => alone(() => migrateAll(migrationsFolder)),
    dump: () => alone(() => db.dumpDataDir('none')),
    close: () => alone(() => db.close()),
  };
}

/** Returns the protocol's messages that run the statements, and the statements that the messages prepare first. */
function toMessages(statements: Statement[], prepared: ReadonlyMap<string, string>) {
  const newlyPrepared = new Map<string, string>();
  const messages = statements.flatMap(({ sql, params = [] }) => {
    const known = prepared.get(sql) ?? newlyPrepared.get(sql);
    const name = known ?? `kept_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
    newlyPrepared.set(sql, name);
    return [
      // A message that failed later on may have prepared the statement. Closing one that does not exist does nothing.
      ...(known === undefined ? [serialize.close({ type: 'S', name }), serialize.parse({ text: sql, name })] : []),
      serialize.bind({ statement: name, values: params }),
      serialize.describe({ type: 'P', name: '' }),
      serialize.execute({}),
    ];
  });
  return { messages: Buffer.concat([...messages, serialize.sync()]), newlyPrepared };
}

function toResults(messages: { name: string }[]): RawResult[] {
  const results: RawResult[] = [];
  let [fields, rows]: [RawResult['fields'], RawResult['rows']] = [[], []];
  for (const message of messages) {
    if (message instanceof kinds.RowDescriptionMessage) fields = message.fields;
    else if (message instanceof kinds.DataRowMessage) rows.push(message.fields);
    else if (message instanceof kinds.CommandCompleteMessage || message.name === 'emptyQuery') {
      results.push({ fields, rows, tag: message instanceof kinds.CommandCompleteMessage ? message.text : '' });
      [fields, rows] = [[], []];
    }
  }
  return results;
}

/** Result of one statement. Cells have Postgres' own text, and `tag` is the command tag ("INSERT 0 1"). */
export interface RawResult {
  fields: RawField[];
  rows: (string | null)[][];
  tag: string;
}

interface RawField {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
  dataTypeSize: number;
  dataTypeModifier: number;
}

interface Statement {
  sql: string;
  params?: (string | null)[];
}

/** Runs statements one after the other, up to the first that the database refuses. Throws the driver's error for that one. */
export type Execute = (statements: Statement[]) => Promise<RawResult[]>;

/** Database behind the proxy. Each session starts clean and leaves nothing behind. */
export interface Backend {
  session<T>(work: (execute: Execute) => Promise<T>): Promise<T>;
  migrate(folder: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns true if the statements leave nothing behind in their session: no settings, session locks, sequences or
 * temporary tables, and no open transaction.
 */
export const leavesNothing = (statements: Statement[]): boolean =>
  (isWhole(statements) ? statements.slice(1, -1) : statements).every(changesAtMostRows);

const isWhole = (statements: Statement[]): boolean =>
  statements.at(0)?.sql.startsWith('BEGIN') === true && statements.at(-1)?.sql === 'COMMIT';

const changesAtMostRows = ({ sql }: Statement): boolean =>
  /^\s*(?:select|with|insert|update|delete)\b/i.test(sql) &&
  !/\b(?:set_config|pg_(?:try_)?advisory_(?:un)?lock\w*|nextval|setval|temp|temporary)\b/i.test(sql);
