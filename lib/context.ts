import type { Db } from '../schema/db.ts';
import type {
  AnswerStore,
  Calendar,
  CalendarOAuth,
  Clock,
  Dns,
  Ids,
  Keys,
  Log,
  NonceStore,
  Queue,
  RateLimiter,
  Sealer,
  TextReader,
  WebhookSender,
} from './ports.ts';

/** What a verb may use; made once per request by `functions/context.ts`. */
export interface Ctx {
  db: Db;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  sealer: Sealer;
  oauth: CalendarOAuth;
  calendar: Calendar;
  queue: Queue;
  nonces: NonceStore;
  answers: AnswerStore;
  limiter: RateLimiter;
  sender: WebhookSender;
  reader: TextReader;
  dns: Dns;
  log: Log;
  /** A number in [0, 1), to spread what would keep step. */
  random(): number;
  /** Pauses this request for so many ms. */
  sleep(ms: number): Promise<void>;
  /** Carries on after the answer; a failure is logged. */
  later(work: Promise<unknown>): void;
  /** `ownDomain`: all of it is ours, so no webhook may lead there; absent on a developer's own machine. */
  config: { baseUrl: string; ownDomain?: string | undefined; sessionSecret: string };
  requestId: string;
}

/** The platform a key belongs to. */
export interface Platform {
  id: string;
  name: string;
  email: string;
  plan: string;
  redirectUris: string[];
}
