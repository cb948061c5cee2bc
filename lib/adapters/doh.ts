import * as z from 'zod';
import { type Dns, DnsError } from '../ports.ts';

const URL_OF_RESOLVER = 'https://cloudflare-dns.com/dns-query';
const TIMEOUT_MS = 2_000;
const LONGEST_KEPT_MS = 60_000;
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

// Of this isolate; a value may pass from one request to the next, a promise may not.
const kept = new Map<string, { found: Found; until: number }>();

/** DNS over HTTPS, in Cloudflare's JSON form; answers are kept for their TTL, at most a minute. */
export function createDns({ now, requestId }: { now: () => number; requestId: string }): Dns {
  async function ask(host: string, type: 'A' | 'AAAA'): Promise<Record[]> {
    const reply = Reply.safeParse(await getJson(`${URL_OF_RESOLVER}?${new URLSearchParams({ name: host, type })}`));
    if (!reply.success) throw new DnsError('the resolver answered in no known form');
    const { Status: status, TC: isCut, Answer: records = [] } = reply.data;
    if (status === NO_SUCH_NAME) return [];
    if (status !== NO_ERROR || isCut === true) throw new DnsError(`the resolver could not tell: ${status}`);
    const addresses = records.filter((record) => record.type === A || record.type === AAAA);
    if (addresses.every(({ data }) => Address.safeParse(data).success)) return records;
    throw new DnsError('the resolver answered with an address that is none');
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
      throw new DnsError(`the resolver answered ${response.status}`);
    } catch (error) {
      throw error instanceof DnsError ? error : new DnsError('the resolver did not answer', error);
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
