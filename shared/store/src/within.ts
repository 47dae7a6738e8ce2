import { StoreUnavailableError } from './errors';

/** The result of the work, or StoreUnavailableError when it takes more than `timeout` milliseconds. */
export async function within<V>(timeout: number, work: Promise<V>): Promise<V> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new StoreUnavailableError(`The database did not answer within ${timeout} ms.`)),
      timeout,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
