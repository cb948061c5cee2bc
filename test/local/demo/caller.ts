/**
 * Creates functions that call the control server. They throw an error with the whole answer for a status outside
 * 200-299.
 */
export function createCaller(base: string) {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(base + path, { method, ...init });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  return {
    get: <T>(path: string) => call<T>('GET', path),
    post: <T>(path: string, body: object) => call<T>('POST', path, body),
  };
}

export type Caller = ReturnType<typeof createCaller>;
