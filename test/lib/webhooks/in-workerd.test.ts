import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import { expect, test } from 'vitest';
import { bundleWorker } from '../../local/bundle.ts';
import { URLS } from './url-table.ts';
import vector from './vector.json' with { type: 'json' };

test('workerd judges every URL of the table as Node does, and verifies the vector', async () => {
  const script = await bundleWorker(fileURLToPath(new URL('fixtures/judge.ts', import.meta.url)));
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate: '2026-07-01' });
  try {
    const headers = { 'x-service-timestamp': vector.timestamp, 'x-service-signature': vector.signature };
    const response = await miniflare.dispatchFetch('http://judge.test', {
      method: 'POST',
      body: JSON.stringify({
        urls: URLS.map(([url]) => url),
        ownDomain: 'tandem.com',
        webhook: { ...vector, headers, now: Number(vector.timestamp) * 1_000 },
      }),
    });
    expect(await response.json()).toEqual({
      verdicts: URLS.map(([, verdict]) => (verdict === 'ok' ? { safe: true } : { safe: false, reason: verdict })),
      verified: { ok: true, event: JSON.parse(vector.body) },
    });
  } finally {
    await miniflare.dispose();
  }
});
