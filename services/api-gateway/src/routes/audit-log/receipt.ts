import { z } from 'zod';
import type { Ask } from '../../http/call';
import { route, streamOf } from '../../http/route';
import { auditFilterParameters, processId } from './audit-filters';
import { pageTimeout, provedExport } from './proved-export';

/** What was decided about one webhook, as a file that proves itself. */
export const receiptRoutes = [
  route('GET /v1/audit-log/receipt/{process_id}', 'Download the receipt of a process', {
    tag: 'Audit log',
    access: { needs: 'view_shop_reports' },
    params: z.object({ process_id: processId }),
    query: z.object({ date_to: auditFilterParameters.date_to }),
    errors: ['svc_process_not_found', 'svc_log_not_sealed', 'svc_log_not_provable'],
    ...streamOf('application/x-ndjson'),
    handle: async ({ params, query: { date_to = null }, signal }, edge) => {
      const ask: Ask = (type, input) => edge.ask(type, input, pageTimeout);
      const opened = await ask('audit.export.open.v1', { date_from: null, date_to, ...params });
      const headers = { 'Content-Disposition': `attachment; filename="receipt-${params.process_id}.ndjson"` };
      return { body: provedExport(opened, ask, signal, params), headers };
    },
  }),
] as const;
