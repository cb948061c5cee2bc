/** Isolates the writing direction in page titles, which cannot contain a `<bdi>` element. */
export const isolated = (name: string) => `\u2068${name}\u2069`;
