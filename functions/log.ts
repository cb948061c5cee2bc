import type { Log } from '../lib/ports.ts';

const SECRET =
  /(?:sk|pk)_(?:live|user)_[\w-]+|whsec_[\w-]+|Bearer\s+[\w.~+/-]+=*|ya29\.[\w.-]+|postgres(?:ql)?:\/\/\S+|eyJ[\w-]{8,}(?:\.[\w-]+)*/g;

/** Text without keys, tokens and connection strings. */
export const redact = (text: string) => text.replace(SECRET, '[redacted]');

/** One JSON line per call; strings are redacted. */
export function createLog(requestId: string): Log {
  return (level, message, fields = {}) => {
    const line = redact(JSON.stringify({ level, message, request_id: requestId, ...fields }));
    if (level === 'error') console.error(line);
    else console.log(line);
  };
}
