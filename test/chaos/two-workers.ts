import type { seeded } from '../support/fuzz/seeded.ts';
import { freshPlatform } from '../support/people/factories.ts';
import { createClient } from '../support/worlds/client.ts';
import { world } from '../support/worlds/world.ts';
import type { Scene } from './asking.ts';

const USES = 3;

/**
 * Lets two Workers remember a platform's key, and replaces the key through one of them while both are asked. If nobody
 * uses the key meanwhile, the other Worker still remembers the key afterwards. Every use of both keys is recorded, so the
 * model can say which Worker accepted a key that had ended.
 */
export async function replaceRememberedKey(
  scene: Scene,
  random: ReturnType<typeof seeded>,
  { isUsedMeanwhile = true } = {},
): Promise<void> {
  const { recorder } = scene;
  const { secret_key: former } = await freshPlatform({ plan: 'enterprise' });
  const second = await world.startSecond();
  const urls = random.shuffle([world.baseUrl, second.baseUrl]);
  const use = async (url: string, key: string) => {
    const sent = recorder.now();
    const answer = await createClient(url, key)
      .send('GET', '/v1/platform/settings')
      .catch(() => undefined);
    if (answer !== undefined)
      recorder.trace.keyUses.push({
        key,
        worker: urls.indexOf(url),
        status: answer.status,
        sent,
        came: recorder.now(),
      });
  };
  const useAll = (key: string) =>
    Promise.all(Array.from({ length: USES }, () => urls.map((url) => use(url, key))).flat());
  try {
    await useAll(former);
    const end = { key: former, asked: recorder.now(), done: Number.POSITIVE_INFINITY };
    recorder.trace.keyEnds.push(end);
    const [url = ''] = urls;
    const [replaced] = await Promise.all([
      createClient(url, former)
        .send('POST', '/v1/platform/regenerate-key')
        .catch(() => undefined),
      isUsedMeanwhile ? useAll(former) : undefined,
    ]);
    if (replaced?.status !== 200) return;
    // A Worker compares the end of a key with its own clock.
    await world.advance(0);
    end.done = recorder.now();
    await Promise.all([useAll(former), useAll((replaced.body as { api_key: string }).api_key)]);
  } finally {
    await second.close();
  }
}
