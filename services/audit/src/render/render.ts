import type { Answer, AuditEntry, RequestOutput } from '@order-automation/contracts';
import { Html, html } from '@order-automation/service';
import { entriesWith } from '../deletion/deletion';
import type { Log } from '../log';
import { inOrder } from '../processes/process-row';
import { withParents } from '../reading/list';
import { renderEntry } from './entry';

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

/** Styles of the rendered entries, scoped by their class so that the page around them keeps its own. */
const style = new Html(`<style>
.oa-log{font:15px/1.5 system-ui,sans-serif;color:#1c2430;max-width:56rem;overflow-wrap:anywhere}
.oa-log article{border:1px solid #d5dae1;border-left:4px solid #6b7685;border-radius:6px;padding:.75rem 1rem;margin:0 0 .75rem;background:#fff}
.oa-log article[data-status=success]{border-left-color:#1a7f4b}
.oa-log article[data-status=error]{border-left-color:#b3261e}
.oa-log article[data-status=warning]{border-left-color:#9a6700}
.oa-log h3{font-size:1rem;margin:0 0 .25rem}
.oa-log p{margin:.25rem 0}
.oa-log .oa-badge{display:inline-block;font-size:.8rem;font-weight:600;padding:0 .5rem;border-radius:1rem;background:#e8ebf0;color:#1c2430;margin-right:.5rem}
.oa-log .oa-meta{color:#4a5463;font-size:.85rem}
.oa-log table{border-collapse:collapse;width:100%;margin:.5rem 0;font-size:.9rem}
.oa-log caption{text-align:left;font-weight:600;padding:.25rem 0}
.oa-log th,.oa-log td{text-align:left;vertical-align:top;border-top:1px solid #e3e7ec;padding:.25rem .5rem .25rem 0}
.oa-log dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.1rem .75rem;margin:.5rem 0;font-size:.9rem}
.oa-log dt{color:#4a5463}.oa-log dd{margin:0}
.oa-log ol{list-style:none;margin:0;padding:0}.oa-log ul{margin:0;padding-left:1.1rem}
@media(max-width:30rem){.oa-log dl{grid-template-columns:1fr}.oa-log dd{margin-bottom:.35rem}.oa-log table,.oa-log caption,.oa-log tbody,.oa-log tr,.oa-log td{display:block}.oa-log thead{position:absolute;left:-999rem}.oa-log td{border:0;padding:0}.oa-log tr{border-top:1px solid #e3e7ec;padding:.35rem 0}.oa-log td::before{content:attr(data-label) ": ";color:#4a5463}}
</style>`);
