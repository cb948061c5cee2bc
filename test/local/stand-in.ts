/** The world's clock: epoch milliseconds, moved forward by the control server's `POST /clock`. */
export interface WorldClock {
  now(): number;
}

/** Outside service: answers the requests that reach the local edge under its host. */
export interface StandIn {
  fetch(request: Request): Response | Promise<Response>;
  close(): Promise<void>;
}
