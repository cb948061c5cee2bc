const LEAKS: Record<string, RegExp> = {
  'an API key': /sk_(?:live|user)_[\w-]{20,}/,
  'a signing secret': /whsec_[\w-]{8,}/,
  'a token': /ya29\.|\beyJ[\w-]+\.[\w-]+\.[\w-]+|1\/\/[\w-]{20,}/,
  'a connection string': /postgres(?:ql)?:\/\//,
  SQL: /\b(?:select\b.{1,400}\bfrom|insert into|update "?\w+"? set|delete from|Failed query|syntax error at|violates \w+ constraint|invalid byte sequence|out of range for type)\b/i,
  'a stack':
    /\n?\s+at \S+ \(|\.ts:\d+:\d+|\b(?:NeonDbError|DrizzleQueryError|TypeError|RangeError|ZodError|SyntaxError)\b/,
};

/** The kind of thing a text should never have shown; undefined when it shows none. */
export const leakIn = (text: string): string | undefined => {
  for (const [what, pattern] of Object.entries(LEAKS))
    if (pattern.test(text)) return `${what}: ${pattern.exec(text)?.[0]}`;
  return undefined;
};
