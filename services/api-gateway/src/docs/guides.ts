import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pages of docs/guide, for those who use the product. */
export const userGuideNames = [
  'first-rule',
  'jobs',
  'connect-a-gateway',
  'import-a-shop',
  'why-did-an-order-not-move',
  'why',
  'what-if',
  'read-the-log',
  'write-an-extension',
  'woocommerce',
  'command-line',
] as const;

/** Pages of docs/operations, for those who run it. */
export const operationsNames = [
  'install-compose',
  'install-kubernetes',
  'install-systemd',
  'secure',
  'size',
  'three-zones',
  'alerts',
  'trace',
  'back-up',
  'upgrade',
  'move-to-distributed',
  'recover',
] as const;

export const guideNames = [...userGuideNames, ...operationsNames] as const;
export type GuideName = (typeof guideNames)[number];

const root = join(__dirname, '../../../..');

/** Texts beside the guides: what a running product tells, and what it reads. */
export const textNames = ['metrics', 'configuration'] as const;
export type TextName = (typeof textNames)[number];

const ofOperations: ReadonlySet<string> = new Set(operationsNames);

/** Without the comments by which tests find commands. */
export function guideSource(name: GuideName): string {
  const folder = ofOperations.has(name) ? 'docs/operations' : 'docs/guide';
  return readFileSync(join(root, folder, `${name}.md`), 'utf8').replaceAll(/^<!--.*-->\n/gm, '');
}

/** The page of metrics; the configuration as README.md has it. */
export function textSource(name: TextName): string {
  if (name === 'metrics') return readFileSync(join(root, 'docs/metrics.md'), 'utf8');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, section = ''] = /^(## Configuration\n[\s\S]*?)(?=^## |(?![\s\S]))/m.exec(readme) ?? [];
  return section.replace('## Configuration', '# Configuration').replaceAll(/^<!--.*-->\n/gm, '');
}

export function titleOf(source: string): string {
  return /^# (.+)$/m.exec(source)?.[1] ?? '';
}
