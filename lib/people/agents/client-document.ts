import * as z from 'zod';
import { VISIBLE, withoutHidden } from '../../../schema/api/hidden-text.ts';
import type { Ctx } from '../../kit/context.ts';
import { checkUrl, isHostName, isLocal } from '../../kit/url-safety.ts';

/** Parts of a client ID metadata document that Tandem reads (draft-ietf-oauth-client-id-metadata-document-00). */
const Document = z.object({
  client_id: z.string(),
  client_name: z.string().min(1),
  redirect_uris: z.array(z.string().max(2_048)).min(1),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

/** Agent as its own document describes it. Only `host` is verified, because the document came from there. */
export interface Agent {
  clientId: string;
  host: string;
  /** Path of the document, because a host may publish documents of many people. */
  path: string;
  name: string;
  redirectUris: readonly string[];
}

const LONGEST_NAME = 60;

/** The `client_id` is the document's URL. Returns a sentence if the URL or the document is not acceptable. */
export async function readAgent(
  ctx: Pick<Ctx, 'dns' | 'config' | 'agentDocuments'>,
  clientId: string,
): Promise<Agent | string> {
  const verdict = await checkUrl(ctx, clientId, { at: 'attempt' });
  if (!verdict.safe) return `The client_id ${verdict.reason}`;
  const url = new URL(clientId);
  if (url.href !== clientId || url.pathname === '/' || url.hash !== '')
    return 'The client_id must be the exact URL of a document, with a path and without a fragment.';
  const read = await ctx.agentDocuments.read(clientId);
  if ('failure' in read) return UNREAD[read.failure];
  const document = Document.safeParse(parse(read.text));
  if (!document.success) return 'The document at client_id must be JSON with client_id, client_name and redirect_uris.';
  const { client_id, client_name, redirect_uris } = document.data;
  if (client_id !== clientId) return 'The document at client_id lists another client_id.';
  if (!isPublicClient(document.data))
    return 'The document at client_id must allow the token_endpoint_auth_method none, because agents have no secret here.';
  return {
    clientId,
    host: url.hostname,
    path: `${url.pathname}${url.search}`,
    name: nameOf(client_name),
    redirectUris: redirect_uris,
  };
}

const UNREAD = {
  status: 'The document at client_id could not be read: its server must answer 200, without a redirect.',
  not_json: 'The document at client_id must be served as application/json, or as another type that ends in +json.',
  too_large: 'The document at client_id is larger than 5 KB.',
  unreachable: 'The document at client_id could not be read, because its server did not answer.',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isPublicClient = (document: z.infer<typeof Document>) =>
  (document.token_endpoint_auth_method ?? 'none') === 'none' ||
  document.token_endpoint_auth_methods_supported?.includes('none') === true;

/** Removes invisible and direction characters, with which a name could pose as another or as text of Tandem's. */
function nameOf(text: string): string {
  const line = withoutHidden(text.replace(/\s+/gu, ' ')).replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu, '');
  return VISIBLE.test(line) ? [...line.trim()].slice(0, LONGEST_NAME).join('') : '';
}

/** The URI may have another port on a loopback address (RFC 8252). It must be https, or http on the own machine. */
export function isRedirectUriOf({ redirectUris }: Agent, text: string): boolean {
  // A URL parser drops blanks and control characters, which the redirect would then keep.
  if (!URL.canParse(text) || /[\s\\\p{Cc}]/u.test(text)) return false;
  const url = new URL(text);
  const isLoopback = url.protocol === 'http:' && isLocal(text);
  if (url.hash !== '' || url.username !== '' || url.password !== '') return false;
  if (!isLoopback && (url.protocol !== 'https:' || !isHostName(url.hostname))) return false;
  return redirectUris.some((listed) => listed === text || (isLoopback && withoutPort(listed) === withoutPort(text)));
}

function withoutPort(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.port = '';
  return url.href;
}
