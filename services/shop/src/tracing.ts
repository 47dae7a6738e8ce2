import type { OrderStep, StepResult } from '@order-automation/contracts';
import { inSpans, type Span, type Tracing } from '@order-automation/service';
import type { Connector } from './connector';

/** A span for each step that is carried out on an order, with the status before and after. */
export function tracedApply(apply: Connector['apply'], tracing: Tracing | undefined): Connector['apply'] {
  if (!tracing) return apply;
  const start = ({ order_id, cause, commands }: OrderStep): Span | undefined =>
    tracing.span('change order', cause.traceparent, {
      kind: 'server',
      attributes: { 'order_automation.order_id': order_id, 'order_automation.commands': commands.length },
    });
  return async (input) => {
    const spans = input.steps.map(start);
    return inSpans(spans, async () => {
      const answer = await apply(input);
      for (const [index, result] of answer.results.entries()) endStep(spans[index], result);
      return answer;
    });
  };
}

function endStep(span: Span | undefined, result: StepResult): void {
  if (!span) return;
  const changes = 'changes' in result ? result.changes : [];
  const status = changes.flatMap((change) => (change.kind === 'status_changed' ? [change] : []))[0];
  const attributes = {
    'order_automation.result': result.kind,
    'order_automation.order_status.from': status?.from,
    'order_automation.order_status.to': status?.to,
  };
  span.end(attributes, result.kind === 'unavailable' ? { code: result.kind } : undefined);
}
