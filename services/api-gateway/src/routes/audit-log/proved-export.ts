import { createHash } from 'node:crypto';
import type { RequestOutput } from '@order-automation/contracts';
import type { Ask } from '../../http/call';

/** Milliseconds that audit has for one page. */
export const pageTimeout = 2_500;

/** The lines of an export with proof: what was opened, its pages, and the signature over all of that. Ends early when the caller has gone. */
export async function* provedExport(
  opened: RequestOutput<'audit.export.open.v1'>,
  ask: Ask,
  signal: AbortSignal,
  ofProcess: { readonly process_id?: string } = {},
): AsyncGenerator<string> {
  const { below_id, last_seal } = opened;
  const hash = createHash('sha256');
  let lines = 0;
  const counted = (text: string): string => {
    hash.update(text);
    lines += text.split('\n').length - 1;
    return text;
  };
  yield counted(opened.line);
  for (let from: number | null = opened.from_id; from !== null; ) {
    if (signal.aborted) return;
    const page: RequestOutput<'audit.export.read.v1'> = await ask('audit.export.read.v1', {
      from_id: from,
      below_id,
      ...ofProcess,
    });
    yield counted(page.lines);
    from = page.next_id;
  }
  const sha256 = hash.digest('base64');
  yield (await ask('audit.export.sign.v1', { last_seal, lines, sha256 })).line;
}
