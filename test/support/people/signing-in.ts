import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Browser, Page } from '../../local/browser.ts';
import { freshAddress } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';

/** Agent that publishes a document about itself, under a host of its own. */
export interface PublishedAgent {
  host: string;
  clientId: string;
  redirectUri: string;
}

const PUBLIC = ['93.184.215.14'];

/**
 * Publishes an agent's document at a host of its own. `document` changes its fields, and `answer` the whole answer of
 * the agent's server.
 */
export function publishAgent({
  document = {},
  answer = {},
  addresses = PUBLIC,
}: {
  document?: Record<string, unknown>;
  answer?: Omit<Parameters<typeof world.inbox.answer>[0], 'host' | 'path'>;
  addresses?: string[];
} = {}): PublishedAgent {
  const host = `${randomUUID()}.agent.test`;
  const clientId = `https://${host}/client.json`;
  const redirectUri = `https://${host}/callback`;
  world.inbox.addHost(host);
  world.dns.set(host, { a: addresses });
  const body = JSON.stringify({
    client_id: clientId,
    client_name: 'Helpful Agent',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    ...document,
  });
  const headers = { 'Content-Type': 'application/json' };
  world.inbox.answer({ host, path: '/client.json', body, headers, ...answer });
  return { host, clientId, redirectUri };
}

/** Makes a PKCE verifier and its challenge, independently of the product. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Builds the URL with which an agent sends a person to Tandem. A parameter that is undefined is left out. */
export function agentUrl(
  { clientId, redirectUri }: PublishedAgent,
  challenge: string,
  params: Record<string, string | undefined> = {},
): string {
  const url = new URL('/oauth/agent', world.baseUrl);
  const sent = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state & more',
    resource: `${world.baseUrl}/mcp`,
    ...params,
  };
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Decides on the consent page. Returns the parameters with which the person comes back to the agent. */
export async function decide(browser: Browser, page: Page, decision: 'allow' | 'refuse') {
  const { url } = await browser.submit(page, '/oauth/agent', { decision });
  return { url, params: new URL(url).searchParams };
}

/** Exchanges a code at the token endpoint as an agent does, and returns the whole answer. */
export async function exchange(
  agent: PublishedAgent,
  { code, verifier, ...changed }: { code: string; verifier: string } & Record<string, string | undefined>,
) {
  const body = new URLSearchParams();
  const sent = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: agent.clientId,
    redirect_uri: agent.redirectUri,
    resource: `${world.baseUrl}/mcp`,
    ...changed,
  };
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) body.set(name, value);
  const headers = { 'cf-connecting-ip': freshAddress() };
  const response = await fetch(new URL('/oauth/token', world.baseUrl), { method: 'POST', headers, body });
  // biome-ignore lint/suspicious/noExplicitAny: whole answers are compared, and parts of them read, by tests only.
  return { status: response.status, body: (await response.json()) as any };
}

/** Lets an agent in: opens its request as the person who is signed in, and allows it. Returns the code and verifier. */
export async function letIn(browser: Browser, agent: PublishedAgent) {
  const { verifier, challenge } = pkce();
  const { params } = await decide(browser, await browser.open(agentUrl(agent, challenge)), 'allow');
  return { code: params.get('code') ?? '', verifier };
}
