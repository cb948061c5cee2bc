const TRIES = 3;

/** Calls `act` up to three times, because a busy machine can be too slow at first. Throws the last error. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await act();
    } catch (error) {
      if (tried === TRIES) throw error;
    }
  }
}
