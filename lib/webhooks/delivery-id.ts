import type { Ids } from '../ports.ts';

const PREFIX = 'wh_del_';
const PLATFORM_PREFIX = 'plat_';
const LANE_CHARACTERS = 8;

/**
 * Attempts of one platform that may run at a time, so that slow receivers do not fill the queue's account: its plan's
 * parallelism should be well above this for every platform that may hang at once.
 */
const PARALLELISM = 3;

/** What ids of a platform's deliveries begin with. */
export const deliveryIdPrefix = (platformId: string): string =>
  PREFIX + platformId.slice(PLATFORM_PREFIX.length, PLATFORM_PREFIX.length + LANE_CHARACTERS);

/** A delivery's id begins like its platform's: whoever holds it knows the queue's lane without asking. */
export const newDeliveryId = (ids: Ids, platformId: string): string => ids.id(deliveryIdPrefix(platformId));

/** The queue's lane of a delivery, one for each platform. */
export const laneOf = (deliveryId: string) => ({
  key: `webhooks.${deliveryId.slice(PREFIX.length, PREFIX.length + LANE_CHARACTERS)}`,
  parallelism: PARALLELISM,
});

/** Whether a text can be a delivery's id. */
export const isDeliveryId = (text: string): boolean => /^wh_del_\w{1,57}$/.test(text);
