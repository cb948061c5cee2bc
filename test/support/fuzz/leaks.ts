type Leaks = Record<string, RegExp>;

/** Secrets that must appear neither in an answer nor in the log. */
const ANYWHERE: Leaks = {
  'an API key': /sk_(?:live|user)_[\w-]{20,}/,
  'a signing secret': /whsec_[\w+/-]{8,}/,
  'a token': /ya29\.|\beyJ[\w-]+\.[\w-]+\.[\w-]+|1\/\/[\w-]{20,}/,
  'a connection string': /postgres(?:ql)?:\/\//,
  SQL: /\b(?:select\b.{1,400}\bfrom|insert into|update "?\w+"? set|delete from|Failed query|syntax error at|violates \w+ constraint|invalid byte sequence|out of range for type)\b/i,
};

/** Details of errors that only the log may show. */
const IN_ANSWERS: Leaks = {
  'a stack':
    /\n?\s+at \S+ \(|\.ts:\d+:\d+|\b(?:NeonDbError|DrizzleQueryError|TypeError|RangeError|ZodError|SyntaxError)\b/,
};

/** Returns the kind of leak in an answer; undefined if there is none. */
export const leakIn = (answer: string): string | undefined => find({ ...ANYWHERE, ...IN_ANSWERS }, answer);

/** Returns the kind of leak in a log line; undefined if there is none. */
export const leakInLog = (line: string): string | undefined => find(ANYWHERE, line);

function find(leaks: Leaks, text: string): string | undefined {
  for (const [what, pattern] of Object.entries(leaks)) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return `${what}: ${found}`;
  }
  return undefined;
}
