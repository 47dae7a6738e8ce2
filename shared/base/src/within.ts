/** The outcome of the work, or after `timeout` milliseconds, counted here, the error that `late` makes. */
export function within<T>(timeout: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), timeout);
    const settled = (): void => clearTimeout(timer);
    work.then(settled, settled);
    work.then(resolve, reject);
  });
}
