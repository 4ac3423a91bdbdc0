/**
 * Waits until a promise settles, in either way, but not longer than `limitMs`. Work that must not
 * delay a response, and whose duration must not show in it, waits for the response this way.
 */
export async function settledWithin(promise: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise((resolve) => timer = setTimeout(resolve, limitMs));
  await Promise.race([promise.catch(() => {}), limit]);
  clearTimeout(timer);
}
