/**
 * Wraps a name in Unicode characters that isolate its writing direction from the text around it. Used in page titles,
 * which cannot contain a `<bdi>` element.
 */
export const isolated = (name: string) => `\u2068${name}\u2069`;
