/** An instant as ISO 8601 in UTC without milliseconds. */
export const isoUtc = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
