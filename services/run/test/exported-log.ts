import { provedExport } from '../../api-gateway/src/routes/audit-log/proved-export';
import { openExport, readExport, signExport } from '../../audit/src/chain/export';
import type { openLog } from '../../audit/src/log';

export type Log = Awaited<ReturnType<typeof openLog>>;
type Asked = { readonly date_from?: string; readonly date_to?: string | null; readonly process_id?: string };

/** What an export, or the receipt of a process, is asked for, as the edge does. */
export async function exported(log: Log, { process_id, ...range }: Asked = {}): Promise<Buffer> {
  const answers = {
    'audit.export.open.v1': openExport,
    'audit.export.read.v1': readExport,
    'audit.export.sign.v1': signExport,
  } as const;
  const ask = async (type: string, input: unknown) => answers[type as keyof typeof answers](input as never, log);
  const ofProcess = process_id === undefined ? {} : { process_id };
  const opened = await openExport({ date_from: null, date_to: null, ...range, ...ofProcess }, log);
  let text = '';
  for await (const part of provedExport(opened, ask as never, new AbortController().signal, ofProcess)) text += part;
  return Buffer.from(text);
}
