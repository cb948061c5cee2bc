import { randomUUID } from 'node:crypto';
import type { DnsRecords } from '../../local/dns.ts';
import { connectedPerson } from '../people/factories.ts';
import { world } from '../worlds/world.ts';

/** A public address, which webhooks may call. */
export const PUBLIC = ['93.184.215.14'];

/** Creates a platform whose endpoint has a host of its own, with these DNS records. */
export async function platformAt(records: DnsRecords) {
  const host = `${randomUUID()}.acme.test`;
  const url = `https://${host}/hook`;
  world.inbox.addHost(host);
  world.dns.set(host, records);
  const platform = await world.platforms.create({ name: 'Acme', plan: 'pro', webhook_url: url });
  return { host, url, platform };
}

/** Makes the platform's next event happen and delivers it, as far as it is due. */
export async function emitTo({ platform }: Awaited<ReturnType<typeof platformAt>>) {
  await connectedPerson(platform);
  await world.qstash.deliverDue();
}

/** Delivers everything that is due after this many milliseconds. */
export async function retry(ms: number) {
  await world.advance(ms);
  await world.qstash.deliverDue();
}

export const arrivedAt = (url: string) => world.inbox.deliveries().filter((delivery) => delivery.url === url);
export const questionsAbout = (host: string) =>
  world.dns.questions().filter((question) => question.endsWith(` ${host}`));
export const attemptsOf = (platform: { id: string }) =>
  world.neon.query(
    `select delivery_attempts.response_code::int code, delivery_attempts.error from delivery_attempts
     join deliveries on deliveries.id = delivery_id where platform_id = $1 order by started_at, number`,
    [platform.id],
  );
