/**
 * Waits for work that may hang.
 *
 * @returns the result, or undefined if it takes longer than `ms`; a later error is then ignored
 */
export async function inTime<Result>(
  work: Promise<Result>,
  ms: number,
): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) =>
    timer = setTimeout(() => resolve(undefined), ms)
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
