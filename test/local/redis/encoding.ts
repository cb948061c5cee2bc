/** Returns a RESP value as the REST API shows it: strings in base64 if asked for, except the literal OK. */
export function encodeReply(value: unknown, base64: boolean): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return base64 && value !== 'OK' ? Buffer.from(value).toString('base64') : value;
  if (Array.isArray(value)) return value.map((item) => encodeReply(item, base64));
  // The drivers turn HGETALL's flat list into an object.
  if (typeof value === 'object') return encodeReply(Object.entries(value).flat(), base64);
  return value;
}
