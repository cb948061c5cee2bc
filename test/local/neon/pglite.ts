import { PGlite, protocol } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { Backend, Execute } from './backend.ts';

export interface PgliteOptions {
  /** Where the data is kept; memory when absent. */
  dataDir?: string;
  /** A dumped data folder to start from, which saves the seconds of making one. */
  snapshot?: Blob;
}

export interface Pglite extends Backend {
  dump(): Promise<Blob>;
}

/** Postgres inside this process: one connection, so sessions queue for it. */
export async function openPglite({ dataDir, snapshot }: PgliteOptions = {}): Promise<Pglite> {
  const db = await PGlite.create({
    extensions: { btree_gist },
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(snapshot === undefined ? {} : { loadDataDir: snapshot }),
  });
  const execute = executeOn(db);
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
    session: (work) => alone(() => work(execute).finally(reset)),
    migrate: (migrationsFolder) => alone(() => migrate(drizzle(db), { migrationsFolder }).finally(reset)),
    dump: () => alone(() => db.dumpDataDir('none')),
    close: () => alone(() => db.close()),
  };
}

function executeOn(db: PGlite): Execute {
  const { serialize } = protocol;
  return async (sql, params = []) => {
    const { messages } = await db.execProtocol(
      Buffer.concat([
        serialize.parse({ text: sql }),
        serialize.bind({ values: params }),
        serialize.describe({ type: 'P', name: '' }),
        serialize.execute({}),
        serialize.sync(),
      ]),
    );
    const { RowDescriptionMessage, DataRowMessage, CommandCompleteMessage } = protocol.messages;
    return {
      fields: messages.find((message) => message instanceof RowDescriptionMessage)?.fields ?? [],
      rows: messages.filter((message) => message instanceof DataRowMessage).map((row) => row.fields),
      tag: messages.find((message) => message instanceof CommandCompleteMessage)?.text ?? '',
    };
  };
}
