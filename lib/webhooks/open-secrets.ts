import type { FormerSecret } from '../../schema/tables/webhook-endpoints.ts';
import type { Sealer } from '../kit/ports.ts';
import { webhookSecretPlace } from '../kit/sealed-places.ts';
import type { SigningSecrets } from './delivery-headers.ts';

interface SealedSecrets {
  platformId: string;
  secret: string;
  previousSecrets: FormerSecret[];
}

/** Throws if the current secret cannot be decrypted, and leaves out previous ones that cannot. */
export async function openSecrets(sealer: Sealer, sealed: SealedSecrets, now: number): Promise<SigningSecrets> {
  const place = webhookSecretPlace(sealed.platformId);
  const valid = sealed.previousSecrets.filter(({ validUntil }) => now < validUntil);
  const opened = await Promise.all(valid.map(({ secret }) => sealer.open(secret, place).catch(() => undefined)));
  return {
    current: await sealer.open(sealed.secret, place),
    previous: opened.filter((secret) => secret !== undefined),
  };
}
