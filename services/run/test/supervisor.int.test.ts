import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@order-automation/service';
import { waitFor } from '@order-automation/testing';
import { type Supervisor, startSupervisor } from '../src/supervisor/supervisor';
import type { Report } from '../src/supervisor/supervisor-child';

const entry = join(__dirname, 'supervised-program.js');
const log = createLogger({ name: 'test', level: 'silent' });

let folder: string;
let supervisor: Supervisor | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
});

afterEach(async () => {
  await supervisor?.stop().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

/** Supervises one program for each name, which behaves as said. */
function supervise(behaviours: Record<string, string>, stopTimeout = 5_000) {
  const journal = join(folder, 'journal');
  const reports: Report[] = [];
  supervisor = startSupervisor({
    programs: Object.keys(behaviours).map((name) => ({ name, entry })),
    env: ({ name }) => ({ ...process.env, NAME: name, BEHAVIOUR: behaviours[name], JOURNAL: journal }),
    log,
    onReport: (report) => reports.push(report),
    stopTimeout,
  });
  return {
    supervisor,
    reports,
    lines: () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : []),
  };
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('each program is reported, and one that was killed is started again and reported again', async () => {
  const { reports } = supervise({ store: 'steady', edge: 'steady' });
  await waitFor(() => reports.length === 2, { describe: 'both reports' });
  const edge = reports.find((report) => report.service === 'edge');
  expect(edge).toEqual({ service: 'edge', pid: expect.any(Number), ops: edge?.pid, port: 8080 });
  expect(reports.find((report) => report.service === 'store')).not.toHaveProperty('port');

  process.kill(edge?.pid ?? 0, 'SIGKILL');
  await waitFor(() => reports.length === 3, { describe: 'the third report' });
  expect(reports[2]?.service).toBe('edge');
  expect(reports[2]?.pid).not.toBe(edge?.pid);
});

test('a program that dies again and again does not keep the others from running', async () => {
  const { reports } = supervise({ broken: 'dies', store: 'steady' });
  await waitFor(() => reports.length === 1, { describe: 'the report of the one that runs' });
  expect(reports[0]?.service).toBe('store');
});

test('all stop one after the other, the last started first', async () => {
  const { supervisor, reports, lines } = supervise({ store: 'steady', middle: 'steady', edge: 'steady' });
  await waitFor(() => reports.length === 3, { describe: 'three reports' });
  await Promise.all([supervisor.stop(), supervisor.stop()]);
  expect(lines()).toEqual(['edge', 'middle', 'store'].flatMap((name) => [`${name} stopping`, `${name} stopped`]));
  expect(reports.map(({ pid }) => alive(pid))).toEqual([false, false, false]);
});

test('one that does not stop is ended at the timeout, and that is not a clean stop', async () => {
  const { supervisor, reports } = supervise({ store: 'steady', edge: 'stubborn' }, 300);
  await waitFor(() => reports.length === 2, { describe: 'both reports' });
  await expect(supervisor.stop()).rejects.toThrow('not every process stopped');
  expect(reports.map(({ pid }) => alive(pid))).toEqual([false, false]);
  expect(reports).toHaveLength(2);
});

test('one that fails while stopping is not a clean stop', async () => {
  const { supervisor, reports } = supervise({ store: 'fails' });
  await waitFor(() => reports.length === 1, { describe: 'the report' });
  await expect(supervisor.stop()).rejects.toThrow('not every process stopped');
});

test('one that refuses its configuration stops all', async () => {
  const { supervisor, reports } = supervise({ store: 'steady', edge: 'refuses' });
  await supervisor.refused;
  expect(reports.map(({ pid }) => alive(pid))).not.toContain(true);
});
