import { PGlite, protocol } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { Backend, Execute, ExecuteAll, RawResult } from './backend.ts';

export interface PgliteOptions {
  /** Folder of the data; in memory if absent. */
  dataDir?: string;
  /** Dumped data folder to start from, which saves the seconds of creating one. */
  snapshot?: Blob;
}

export interface Pglite extends Backend {
  dump(): Promise<Blob>;
}

/** Opens Postgres inside this process. It has one connection, so sessions wait for one another. */
export async function openPglite({ dataDir, snapshot }: PgliteOptions = {}): Promise<Pglite> {
  const db = await PGlite.create({
    extensions: { btree_gist },
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(snapshot === undefined ? {} : { loadDataDir: snapshot }),
  });
  const executeAll = executeOn(db);
  const execute: Execute = async (sql, params = []) => {
    const [result] = await executeAll([{ sql, params }]);
    if (result === undefined) throw new Error('PGlite answered a statement without a result.');
    return result;
  };
  let last: Promise<unknown> = Promise.resolve();

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function reset() {
    await execute('DISCARD ALL').catch(async () => {
      await execute('ROLLBACK');
      await execute('DISCARD ALL');
    });
  }

  return {
    session: (work) => alone(() => work(execute, executeAll).finally(reset)),
    migrate: (migrationsFolder) => alone(() => migrate(drizzle(db), { migrationsFolder }).finally(reset)),
    dump: () => alone(() => db.dumpDataDir('none')),
    close: () => alone(() => db.close()),
  };
}

/** Sends the statements in one message, because each call into PGlite costs as much as a small statement. */
function executeOn(db: PGlite): ExecuteAll {
  const { serialize, messages: kinds } = protocol;
  return async (statements) => {
    const { messages } = await db.execProtocol(
      Buffer.concat([
        ...statements.flatMap(({ sql, params = [] }) => [
          serialize.parse({ text: sql }),
          serialize.bind({ values: params }),
          serialize.describe({ type: 'P', name: '' }),
          serialize.execute({}),
        ]),
        serialize.sync(),
      ]),
    );
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
  };
}
