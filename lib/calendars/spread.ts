/** Hashes the user's id (FNV-1a) to [0, 1), to spread the reads of different users' calendars over time. */
export function fractionOf(userId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < userId.length; at++) hash = Math.imul(hash ^ userId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
