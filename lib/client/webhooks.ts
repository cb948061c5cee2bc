import { type VerifyFailure, verifyWebhook as verify, type WebhookToVerify } from '../webhooks/verify.ts';
import type { WebhookEvent } from './types.ts';

export type Verified = { ok: true; event: WebhookEvent } | { ok: false; reason: VerifyFailure };

/**
 * Verifies that a webhook comes from Tandem and is recent, and returns its event. `event.event_type` tells TypeScript
 * which fields `event.data` has. Needs only Web Crypto, so it runs in Node, Deno, Bun, Workers and browsers. Throws
 * only if no secret is given, or a body that was parsed.
 */
export const verifyWebhook = async (webhook: WebhookToVerify): Promise<Verified> => (await verify(webhook)) as Verified;
