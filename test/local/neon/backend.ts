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

/** Runs statements one after the other, up to the first that the database refuses. Throws the driver's error for that one. */
export type ExecuteAll = (statements: { sql: string; params?: (string | null)[] }[]) => Promise<RawResult[]>;

/** Database behind the proxy. Each session starts clean and leaves nothing behind. */
export interface Backend {
  session<T>(work: (execute: Execute, executeAll: ExecuteAll) => Promise<T>): Promise<T>;
  migrate(folder: string): Promise<void>;
  close(): Promise<void>;
}
