import type { Scene } from '../chaos/asking.ts';
import { unaccounted } from '../chaos/model.ts';
import { openScene, wholeTrace } from '../chaos/scene.ts';
import type { Trace } from '../chaos/trace.ts';

export async function playedTrace(play: (scene: Scene) => Promise<void>, options: { doesOffer?: boolean } = {}) {
  const scene = await openScene(options);
  try {
    await play(scene);
    return await wholeTrace(scene);
  } finally {
    scene.recorder.stop();
  }
}

/** Returns a function that changes a copy of a true history, and says what the checker finds wrong in it. */
export const liar =
  (history: () => Trace) =>
  (change: (copy: Trace) => unknown): string[] => {
    const copy = structuredClone(history());
    change(copy);
    return unaccounted(copy);
  };

type EventLie = [name: string, change: (copy: Trace, id: string) => unknown];

const arrivalOf = ({ arrivals }: Trace, id: string) => arrivals.find(({ text }) => JSON.parse(text).id === id);

export const EVENT_LIES: EventLie[] = [
  [
    'is dropped',
    (copy, id) => {
      copy.arrivals = copy.arrivals.filter(({ text }) => JSON.parse(text).id !== id);
    },
  ],
  [
    'is told as two events',
    (copy, id) => {
      const arrival = arrivalOf(copy, id);
      if (arrival) copy.arrivals.push({ ...arrival, deliveryId: 'another', text: arrival.text.replace(id, `${id}x`) });
    },
  ],
  [
    'comes in other bytes',
    (copy, id) => {
      const arrival = arrivalOf(copy, id);
      if (arrival) copy.arrivals.push({ ...arrival, text: `${arrival.text} ` });
    },
  ],
];
