/** Result of one statement. Cells have Postgres' own text, and `tag` is the command tag ("INSERT 0 1"). */
export interface RawResult {
  fields: RawField[];
  rows: (string | null)[][];
  tag: string;
}

export interface RawField {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
  dataTypeSize: number;
  dataTypeModifier: number;
}

/** Runs one statement through the extended protocol. Throws the driver's error if the database refuses it. */
export type Execute = (sql: string, params?: (string | null)[]) => Promise<RawResult>;

export interface Statement {
  sql: string;
  params?: (string | null)[];
}

/** Runs statements one after the other, up to the first that the database refuses. Throws the driver's error for that one. */
export type ExecuteAll = (statements: Statement[]) => Promise<RawResult[]>;

/** Database behind the proxy. Each session starts clean and leaves nothing behind. */
export interface Backend {
  session<T>(work: (execute: Execute, executeAll: ExecuteAll) => Promise<T>): Promise<T>;
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
