/** Calls JSON endpoints under a base address; an answer outside 200-299 is an error that shows it. */
export function createCaller(base: string, key?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(base + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  return {
    get: <T>(path: string) => call<T>('GET', path),
    delete: <T>(path: string) => call<T>('DELETE', path),
    post: <T>(path: string, body: object) => call<T>('POST', path, body),
  };
}

export type Caller = ReturnType<typeof createCaller>;
