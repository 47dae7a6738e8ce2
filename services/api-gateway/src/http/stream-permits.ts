import { ServiceError } from '@order-automation/contracts';
import { repeatedly } from '@order-automation/service';

/** Streams that one user may have open at a time, in one instance. */
export const maxStreamsOfUser = 10;
/** Milliseconds between two looks whether the caller of a stream may still read it. */
const permissionEvery = 3_000;

export type StreamPermits = ReturnType<typeof streamPermits>;

export function streamPermits() {
  const open = new Map<string, number>();
  return {
    /** Counts a stream of the user until the returned function is called, once; 429 when there are too many. */
    open: (userId: string): (() => void) => {
      const count = open.get(userId) ?? 0;
      if (count >= maxStreamsOfUser) {
        const message = `You have ${maxStreamsOfUser} streams open already. Close one of them, or wait until a download has ended.`;
        throw new ServiceError(429, 'svc_too_many_streams', message, { retry_after: 5 });
      }
      open.set(userId, count + 1);
      return () => {
        const left = (open.get(userId) ?? 1) - 1;
        if (left > 0) open.set(userId, left);
        else open.delete(userId);
      };
    },
  };
}

/** Asks again and again whether the caller of a stream may still read it; calls `end` once when not, or when nobody can say. */
export function watchPermission(isPermitted: () => Promise<unknown>, end: () => void): () => void {
  const watch = repeatedly(permissionEvery, () =>
    isPermitted().catch(() => {
      stop();
      end();
    }),
  );
  const stop = () => void watch.close();
  return stop;
}
