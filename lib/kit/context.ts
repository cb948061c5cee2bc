import type { ActorKind } from '../../schema/api/audit-actions.ts';
import type { Credential } from '../../schema/credentials.ts';
import type { Db } from '../../schema/db.ts';
import type { ReadingModel } from '../reader/model/port.ts';
import type { CalendarOAuth, CalendarProvider } from './calendar-ports.ts';
import type {
  AnswerStore,
  Clock,
  Dns,
  Ids,
  Keys,
  Log,
  NonceStore,
  Queue,
  RateLimiter,
  Sealer,
  Trace,
  Vitals,
  WebhookSender,
} from './ports.ts';

/**
 * The dependencies of domain functions: database, clock, adapters and settings. `functions/context.ts` makes them once
 * per request.
 */
export interface Ctx {
  db: Db;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  sealer: Sealer;
  oauth: CalendarOAuth;
  calendar: CalendarProvider;
  queue: Queue;
  /** Rejects if the message queue does not answer, or does not know our account. */
  checkQueue(): Promise<void>;
  nonces: NonceStore;
  answers: AnswerStore;
  limiter: RateLimiter;
  vitals: Vitals;
  sender: WebhookSender;
  model: ReadingModel;
  dns: Dns;
  log: Log;
  trace: Trace;
  /** Returns a number in [0, 1), to spread work that would otherwise run at the same moment. */
  random(): number;
  /** Pauses this request for the given number of milliseconds. */
  sleep(ms: number): Promise<void>;
  /** Lets a promise finish after the response is sent, and logs an error if the promise rejects. */
  later(work: Promise<unknown>): void;
  /**
   * The service's settings. No webhook may be sent to `ownDomain`, because every host in it is ours. It is absent on a
   * developer's own machine.
   */
  config: { baseUrl: string; ownDomain?: string | undefined; sessionSecret: string };
  /**
   * Promise that settles once the API key check and the rate limit have allowed or refused the request. The promise
   * rejects with the refusal. Database reads run at the same time as the check, so code must await this promise before
   * it calls a calendar or changes anything.
   */
  admitted: Promise<void>;
  requestId: string;
  /** Caller to whom the audit log attributes the changes that this request makes. */
  actor: Actor;
  /** Address block that the request came from. Null for background work, which no request asked for. */
  network: string | null;
}

/** Caller who makes a change, in the form in which the audit log names callers. */
export interface Actor {
  kind: ActorKind;
  /** Name for the audit log: a masked API key, a session, the name of an operator or the id of a person. */
  id: string;
  /** API key or session that the caller used. Their change is made only while the key or session is valid. */
  credential?: Credential | undefined;
}

/** A reference to a platform by its id, the only field of a platform that never changes. */
export type PlatformRef = Pick<Platform, 'id'>;

/** The platform that an API key belongs to. */
export interface Platform {
  id: string;
  name: string;
  email: string;
  plan: string;
  redirectUris: string[];
}
