/** One answered statement: cells are Postgres' own text, `tag` is its command tag ("INSERT 0 1"). */
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

/** Runs one statement through the extended protocol; a refusal throws the driver's database error. */
export type Execute = (sql: string, params?: (string | null)[]) => Promise<RawResult>;

/** A database behind the proxy: each session starts clean and leaves nothing behind. */
export interface Backend {
  session<T>(work: (execute: Execute) => Promise<T>): Promise<T>;
  migrate(folder: string): Promise<void>;
  close(): Promise<void>;
}
