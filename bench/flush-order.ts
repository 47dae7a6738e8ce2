/** What was seen of the order of system calls: how many answers said `success: true`, and which of them left before their event was flushed. */
export type FlushOrder = { answers: number; readonly early: string[] };

/**
 * Reads the lines of `strace -f -y -s 70000 -e trace=pwrite64,write,writev,sendmsg,sendto,fsync,fdatasync` one by one. An answer is in order when its
 * process id was written to the log of a database, and a flush of that log began after that write and ended before the answer was written.
 */
export function flushOrder(isLog: (path: string) => boolean): { line(text: string): void; readonly seen: FlushOrder } {
  const seen: FlushOrder = { answers: 0, early: [] };
  /** Process ids that are written to a log and not flushed yet, by log; and those that are flushed. */
  const written = new Map<string, Set<string>>();
  const flushed = new Set<string>();
  /** What each thread is flushing: the ids that were written when it began. */
  const flushing = new Map<string, { readonly log: string; readonly ids: ReadonlySet<string> }>();

  const wrote = (log: string, text: string): void => {
    const ids = written.get(log) ?? new Set();
    written.set(log, ids);
    for (const id of idsIn(text)) if (!flushed.has(id)) ids.add(id);
  };
  const flushEnded = (thread: string): void => {
    const { log, ids } = flushing.get(thread) ?? { log: '', ids: new Set<string>() };
    flushing.delete(thread);
    for (const id of ids) {
      flushed.add(id);
      written.get(log)?.delete(id);
    }
  };
  const answered = (text: string): void => {
    if (!text.includes('HTTP/1.1 200') || !text.includes('success\\":true')) return;
    for (const id of idsIn(text)) {
      seen.answers += 1;
      if (!flushed.delete(id)) seen.early.push(id);
    }
  };

  return {
    seen,
    line: (text) => {
      const [, thread = '', call = '', file = ''] =
        /^(\d+) +(?:[\d.]+ )?(?:<\.\.\. )?(\w+)(?:\(\d+<([^>]*)>)?/.exec(text) ?? [];
      if (text.includes(' resumed>')) {
        if (isFlush(call) && succeeded(text)) flushEnded(thread);
      } else if (isFlush(call) && isLog(file)) {
        flushing.set(thread, { log: file, ids: new Set(written.get(file)) });
        if (!text.includes('<unfinished')) succeeded(text) ? flushEnded(thread) : flushing.delete(thread);
      } else if (call === 'pwrite64' && isLog(file)) wrote(file, text);
      else if (/^(socket|TCP|TCPv6):/.test(file)) answered(text);
    },
  };
}

const isFlush = (call: string): boolean => call === 'fdatasync' || call === 'fsync';
const succeeded = (text: string): boolean => / = 0$/.test(text);

function idsIn(text: string): Set<string> {
  return new Set(text.match(/proc_[0-9A-Z]{26}/g));
}
