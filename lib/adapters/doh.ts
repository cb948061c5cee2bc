import * as z from 'zod';
import { MINUTE } from '../engine/time/dates.ts';
import { type Dns, DnsError } from '../kit/ports.ts';

const URL_OF_RESOLVER = 'https://cloudflare-dns.com/dns-query';
const TIMEOUT_MS = 2_000;
const LONGEST_KEPT_MS = MINUTE;
const KEPT_HOSTS = 1_000;

const A = 1;
const CNAME = 5;
const AAAA = 28;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

const Reply = z.object({
  Status: z.int(),
  TC: z.boolean().optional(),
  Answer: z.array(z.object({ type: z.int(), TTL: z.number().min(0), data: z.string() })).optional(),
});
const Address = z.union([z.ipv4(), z.ipv6()]);

type Found = Awaited<ReturnType<Dns['lookup']>>;
type Record = NonNullable<z.infer<typeof Reply>['Answer']>[number];

// The cache holds finished answers, because a Worker may not share a promise between requests.
const kept = new Map<string, { found: Found; until: number }>();

/** Resolves names by DNS over HTTPS in Cloudflare's JSON form, and caches answers for their TTL, at most a minute. */
export function createDns({ now, requestId }: { now: () => number; requestId: string }): Dns {
  async function ask(host: string, type: 'A' | 'AAAA'): Promise<Record[]> {
    const reply = Reply.safeParse(await getJson(`${URL_OF_RESOLVER}?${new URLSearchParams({ name: host, type })}`));
    if (!reply.success) throw new DnsError('The DNS resolver sent an answer in an unknown format.');
    const { Status: status, TC: isCut, Answer: records = [] } = reply.data;
    if (status === NO_SUCH_NAME) return [];
    if (status !== NO_ERROR || isCut === true) throw new DnsError(`The DNS resolver failed with status ${status}.`);
    const addresses = records.filter((record) => record.type === A || record.type === AAAA);
    if (addresses.every(({ data }) => Address.safeParse(data).success)) return records;
    throw new DnsError('The DNS resolver sent an invalid address.');
  }

  async function getJson(url: string): Promise<unknown> {
    try {
      const response = await fetch(url, {
        headers: { Accept: 'application/dns-json', 'X-Request-Id': requestId },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.status === 200) return await response.json();
      await response.body?.cancel();
      throw new DnsError(`The DNS resolver answered with HTTP ${response.status}.`);
    } catch (error) {
      throw error instanceof DnsError ? error : new DnsError('The DNS resolver did not answer.', { cause: error });
    }
  }

  return {
    async lookup(host, { fresh = false } = {}) {
      const known = kept.get(host);
      if (!fresh && known !== undefined && now() < known.until) return known.found;
      const records = (await Promise.all([ask(host, 'A'), ask(host, 'AAAA')])).flat();
      const found: Found = {
        addresses: records.filter(({ type }) => type === A || type === AAAA).map(({ data }) => data),
        aliases: records.filter(({ type }) => type === CNAME).map(({ data }) => data.toLowerCase()),
      };
      keep(host, found, now() + Math.min(LONGEST_KEPT_MS, ...records.map(({ TTL }) => TTL * 1_000)));
      return found;
    },
  };
}

function keep(host: string, found: Found, until: number): void {
  if (found.addresses.length === 0) return void kept.delete(host);
  if (kept.size >= KEPT_HOSTS) kept.clear();
  kept.set(host, { found, until });
}
