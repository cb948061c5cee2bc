import type { FormerSecret } from '../../schema/webhook-endpoints/table.ts';
import type { Sealer } from '../ports.ts';
import { webhookSecretOf } from '../sealed-places.ts';
import type { SigningSecrets } from './delivery-headers.ts';

interface SealedSecrets {
  platformId: string;
  secret: string;
  previousSecrets: FormerSecret[];
}

/** Opens an endpoint's secrets; throws when the one in force cannot be opened, and leaves out a former one that cannot. */
export async function openSecrets(sealer: Sealer, sealed: SealedSecrets, now: number): Promise<SigningSecrets> {
  const place = webhookSecretOf(sealed.platformId);
  const valid = sealed.previousSecrets.filter(({ validUntil }) => now < validUntil);
  const opened = await Promise.all(valid.map(({ secret }) => sealer.open(secret, place).catch(() => undefined)));
  return {
    current: await sealer.open(sealed.secret, place),
    previous: opened.filter((secret) => secret !== undefined),
  };
}
