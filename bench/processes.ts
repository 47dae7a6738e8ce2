import { readFileSync } from 'node:fs';

/** Ticks of a second in /proc (USER_HZ, 100 on every Linux we run on). */
const ticks = 100;

/** Seconds of CPU that these processes have used, all their threads; NaN where there is no /proc. */
export function cpuSeconds(pids: readonly number[]): number {
  try {
    return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  } catch {
    return Number.NaN;
  }
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** Bytes that these processes have given the system to write to disk; NaN where there is no /proc. */
export function writtenBytes(pids: readonly number[]): number {
  try {
    return pids.reduce((sum, pid) => {
      const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8')) ?? [];
      return sum + Number(bytes);
    }, 0);
  } catch {
    return Number.NaN;
  }
}

/** Megabytes of resident memory of these processes; NaN where there is no /proc. */
export function residentMegabytes(pids: readonly number[]): number {
  try {
    return (
      pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096, 0) / 1e6
    );
  } catch {
    return Number.NaN;
  }
}
