import { randomInt } from 'node:crypto';

const MAX_REDIRECTS = 10;

/** Page that the browser shows after it followed all redirects. */
export interface Page {
  url: string;
  status: number;
  html: string;
  /** Id of the request that answered with the page; undefined if the answer has none. */
  requestId?: string | undefined;
}

export interface Form {
  method: string;
  action: string;
  fields: URLSearchParams;
}

export type Browser = ReturnType<typeof createBrowser>;

/**
 * Creates a browser without a screen, with cookies by host, redirects and forms. It stops at the first page outside
 * `hosts`.
 */
export function createBrowser(hosts: readonly string[]) {
  const jar = new Map<string, Map<string, string>>();
  // Address of this browser's own, because limits by address count people, not test runs.
  const address = `198.18.${randomInt(256)}.${randomInt(1, 255)}`;

  async function request(url: URL, method: string, body: URLSearchParams | undefined): Promise<Page> {
    let [at, how, what] = [url, method, body];
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      if (!hosts.includes(at.host)) return { url: at.href, status: 0, html: '' };
      const cookies = cookiesOf(jar, at);
      const response = await fetch(at, {
        method: how,
        headers: { 'cf-connecting-ip': address, ...(cookies === '' ? {} : { cookie: cookies }) },
        body: what ?? null,
        redirect: 'manual',
      });
      keepCookies(jar, at, response.headers.getSetCookie());
      const location = response.headers.get('location');
      const html = await response.text();
      const requestId = response.headers.get('x-request-id') ?? undefined;
      if (location === null) return { url: at.href, status: response.status, html, requestId };
      [at, how, what] = [new URL(location, at), 'GET', undefined];
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects from ${url.href}`);
  }

  return {
    open: (url: string) => request(new URL(url), 'GET', undefined),
    cookiesFor: (url: string) => cookiesOf(jar, new URL(url)),
    /**
     * Submits the page's form whose action ends with `action`. `values` changes fields and names the pressed button.
     */
    submit(page: Page, action: string, values: Record<string, string | string[]> = {}) {
      const form = formsOf(page).find((candidate) => new URL(candidate.action).pathname.endsWith(action));
      if (form === undefined)
        throw new Error(`no form for ${action} at ${page.url} (${page.status}): ${excerpt(page)}`);
      for (const [name, value] of Object.entries(values)) {
        form.fields.delete(name);
        for (const one of [value].flat()) form.fields.append(name, one);
      }
      const target = new URL(form.action);
      if (form.method === 'POST') return request(target, 'POST', form.fields);
      target.search = form.fields.toString();
      return request(target, 'GET', undefined);
    },
  };
}

/** Returns the forms of a page, with the fields that a browser would send if the person touched nothing. */
export function formsOf({ url, html }: Page): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, head = '', content = '']) => {
    const attributes = attributesOf(head);
    const fields = new URLSearchParams();
    for (const [, input = ''] of content.matchAll(/<input\b([^>]*)>/gi)) {
      const { name, value = 'on', type = 'text', ...flags } = attributesOf(input);
      const isOffered = !['checkbox', 'radio'].includes(type) || 'checked' in flags;
      if (name !== undefined && isOffered && type !== 'submit') fields.append(name, value);
    }
    return {
      method: (attributes.method ?? 'get').toUpperCase(),
      action: new URL(attributes.action ?? '', url).href,
      fields,
    };
  });
}

function attributesOf(tag: string): Record<string, string> {
  const found = [...tag.matchAll(/([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+)))?/gi)];
  return Object.fromEntries(
    found.map(([, name = '', double, single, bare]) => [name.toLowerCase(), decode(double ?? single ?? bare ?? '')]),
  );
}

/** Returns the text that a person reads where a page has this. */
export function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function cookiesOf(jar: Map<string, Map<string, string>>, { hostname }: URL): string {
  return [...(jar.get(hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
}

function keepCookies(jar: Map<string, Map<string, string>>, { hostname }: URL, setCookies: string[]): void {
  const cookies = jar.get(hostname) ?? new Map<string, string>();
  for (const cookie of setCookies) {
    const [pair = ''] = cookie.split(';');
    const at = pair.indexOf('=');
    cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
  jar.set(hostname, cookies);
}

export function excerpt({ html }: Page): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/gi, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}
