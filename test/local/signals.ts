const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const ONE_PRESS_MS = 1000;

/** Ends the process with 0 on Ctrl-C and similar signals, once `close` is done. A second signal ends it at once. */
export function endOnSignal(close: () => void | Promise<void>): void {
  let since: number | undefined;
  async function end() {
    // One Ctrl-C arrives twice, from the terminal and from npm.
    if (since !== undefined && performance.now() - since < ONE_PRESS_MS) return;
    if (since !== undefined) process.exit(1);
    since = performance.now();
    await close();
    process.exit(0);
  }
  // Other listeners, such as Miniflare's, would end the process before anything is closed.
  for (const signal of SIGNALS) process.removeAllListeners(signal).on(signal, end);
}
