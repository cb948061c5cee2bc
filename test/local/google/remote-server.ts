export type RemoteServer = ReturnType<typeof createRemoteServer>;

interface Tokens {
  access_token: string;
  refresh_token?: string;
}

/** The other server, and whose tokens it has given out through here. */
export function createRemoteServer(url: string) {
  const owners = new Map<string, string>();
  const latest = new Map<string, Tokens>();

  async function send(path: string, init: RequestInit): Promise<Response> {
    const answer = await fetch(new URL(path, url), { ...init, redirect: 'manual' });
    const headers = new Headers(answer.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection']) headers.delete(name);
    const isBodiless = [204, 304].includes(answer.status);
    return new Response(isBodiless ? null : await answer.arrayBuffer(), { status: answer.status, headers });
  }

  /** Passes a request on, to another path when one is given. */
  async function forward(request: Request, path?: string): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of ['host', 'content-length', 'connection', 'transfer-encoding']) headers.delete(name);
    const hasBody = !['GET', 'HEAD'].includes(request.method);
    return send((path ?? pathname) + search, {
      method: request.method,
      headers,
      ...(hasBody ? { body: await request.text() } : {}),
    });
  }

  /** The address a bearer token belongs to; undefined when the other server does not know the token. */
  async function ownerOf(accessToken: string): Promise<string | undefined> {
    const known = owners.get(accessToken);
    if (known) return known;
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await send('/oauth2/v2/userinfo', { method: 'GET', headers });
    if (!answer.ok) return undefined;
    const email = ((await answer.json()) as { email: string }).email.toLowerCase();
    owners.set(accessToken, email);
    return email;
  }

  return {
    send,
    forward,
    ownerOf,
    async remember(tokens: Tokens): Promise<string | undefined> {
      const email = await ownerOf(tokens.access_token);
      if (email) latest.set(email, { ...latest.get(email), ...tokens });
      return email;
    },
    tokensOf: (email: string) => latest.get(email.toLowerCase()),
  };
}
