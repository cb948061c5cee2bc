import type { AgentDocuments } from '../kit/ports.ts';

const TIMEOUT_MS = 5_000;
/** The draft about client ID metadata documents recommends this bound. */
const LARGEST_BYTES = 5 * 1024;

/** Types that hosts give to files which their users upload, such as text/plain, are none of these. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;

/** Follows no redirects, so that a document cannot lead to another host than the one that was checked. */
export function createAgentDocuments({ requestId }: { requestId: string }): AgentDocuments {
  return {
    async read(url) {
      try {
        const response = await fetch(url, {
          headers: { Accept: 'application/json', 'X-Request-Id': requestId },
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const isJson = JSON_TYPE.test(response.headers.get('Content-Type') ?? '');
        if (response.status === 200 && isJson) return await wholeText(response);
        await response.body?.cancel();
        return { failure: response.status === 200 ? 'not_json' : 'status' };
      } catch {
        return { failure: 'unreachable' };
      }
    },
  };
}

async function wholeText(response: Response) {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let [text, bytes] = ['', 0];
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > LARGEST_BYTES) {
      await reader.cancel();
      return { failure: 'too_large' as const };
    }
    text += decoder.decode(value, { stream: true });
  }
  return { text: text + decoder.decode() };
}
