import type { Answer, AuditEntry, RequestOutput } from '@order-automation/contracts';
import { type Html, html } from '@order-automation/service';
import { entriesWith } from '../deletion';
import { withParents } from '../list';
import type { Log } from '../log';
import { inOrder } from '../process-row';
import { renderEntry } from './entry';
import { style } from './style';

/** Entries of one rendered process at most; the rest is counted. */
const maxShown = 200;

/** Entries, or the processes they belong to, as HTML that needs nothing around it (section 4.2 of the specification). */
export const renderComponents: Answer<'audit.entry.render.v1', Log> = async (
  { log_ids, include_debug, view_mode },
  { records, processes },
) => {
  const asked = new Map((await entriesWith(log_ids, records)).map((entry) => [entry._id, entry]));
  const rendered: RequestOutput<'audit.entry.render.v1'>['rendered'] = [];
  for (const log_id of log_ids) {
    const entry = asked.get(log_id);
    if (!entry) continue;
    const all = view_mode === 'process' ? inOrder(await records.ofProcesses([entry.process_id])) : [entry];
    const logs = await withParents(all, processes);
    const visible = logs.filter(({ id, is_debug }) => include_debug || !is_debug || id === log_id);
    rendered.push({
      log_id,
      process_id: entry.process_id,
      html: renderPage(entry.process_id, visible, view_mode).text,
      total_events: logs.length,
      visible_events: Math.min(visible.length, maxShown),
    });
  }
  return { rendered };
};

/** Entries with the styles that they need; `process` says whose they are. */
export function renderPage(processId: string, visible: readonly AuditEntry[], mode: 'entry' | 'process'): Html {
  const shown = visible.slice(0, maxShown);
  const list = shown.map(renderEntry);
  if (mode === 'entry') return html`${style}<div class="oa-log">${list}</div>`;
  const rest = visible.length - shown.length;
  return html`${style}<section class="oa-log" aria-label="Process ${processId}"><p class="oa-meta">Process ${processId}, ${
    visible.length === 1 ? '1 entry' : `${visible.length} entries`
  }</p><ol>${list.map((one) => html`<li>${one}</li>`)}</ol>${
    rest > 0 ? html`<p class="oa-meta">and ${rest} more entries</p>` : null
  }</section>`;
}
