/** Says how far a long work is: at most one line a second, and one at the end. */
export type Progress = ReturnType<typeof progressLines>;

const every = 1_000;

/** `total` are the documents of all parts; `now` in milliseconds. */
export function progressLines(total: number, now: () => number, write: (line: string) => void) {
  let [name, count, done, all, moved] = ['', 0, 0, 0, 0];
  const started = now();
  let last = started;
  const line = (): void => {
    const seconds = (now() - started) / 1000;
    const rate = seconds > 0 ? moved / seconds : 0;
    const left = rate > 0 ? `, about ${Math.ceil((total - all) / rate)} s left` : '';
    const percent = total === 0 ? 100 : Math.floor((100 * all) / total);
    write(`${name}: ${done} of ${count}; ${percent} % of everything, ${Math.round(rate)} a second${left}\n`);
    last = now();
  };
  return {
    /** Another part of the work, which has as many documents. */
    part: (next: string, size: number, known = 0): void => {
      [name, count, done] = [next, size, known];
      all += known;
    },
    advance: (documents: number): void => {
      done += documents;
      all += documents;
      moved += documents;
      if (now() - last >= every) line();
    },
    end: line,
  };
}
