const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ends the process with 0 on Ctrl-C and its kin, once `close` is done; a second signal ends it at once. */
export function endOnSignal(close: () => void | Promise<void>): void {
  let isEnding = false;
  async function end() {
    if (isEnding) process.exit(1);
    isEnding = true;
    await close();
    process.exit(0);
  }
  // Other listeners, such as Miniflare's, would end the process before anything is closed.
  for (const signal of SIGNALS) process.removeAllListeners(signal).on(signal, end);
}
