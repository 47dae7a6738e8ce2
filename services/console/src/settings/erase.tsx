import { ask } from '../shell/dialogs';
import { plural } from '../shell/format';
import { Form, InputField } from '../shell/forms';
import { Card } from '../shell/parts';
import { api, type Body, mayManage } from '../shell/session';

/** Takes a customer out of the log and of what is stored of webhooks. */
export function Erase() {
  if (!mayManage.value) return null;
  return (
    <Card title="Erase a person" stack>
      <p>
        For a customer who wants their data deleted: removes what leads to them from the log, and the content of their
        webhooks, e-mails and calls. The log can still be verified. Orders and customers of the shop stay, and so do
        backups: erase them there.
      </p>
      <Form
        text="Erase"
        before={({ email = '' }) =>
          ask({ title: `Erase ${email}?`, text: 'This cannot be undone.', confirm: 'Erase', danger: true })
        }
        work={({ email = '' }) => {
          const body = /^\d+$/.test(email) ? { customer_id: Number(email) } : { email };
          return api('DELETE /v1/audit-log/person', { body });
        }}
        done={erasedText}
        then={(_, form) => form.reset()}
      >
        <InputField label="E-mail address or customer id" name="email" required maxLength={320} />
      </Form>
    </Card>
  );
}

function erasedText({ erased, payloads, deliveries }: Body<'DELETE /v1/audit-log/person'>): string {
  const open = (payloads?.unconfirmed ?? 0) + (deliveries?.unfinished ?? 0);
  const again = open > 0 ? ` ${plural(open, 'other is', 'others are')} not finished yet: erase again in a day.` : '';
  const [webhooks, sent] = [payloads?.erased ?? 0, deliveries?.erased ?? 0];
  if (erased + webhooks + sent + open === 0) return 'Nothing was found about this person. Check the spelling.';
  return `Erased from ${plural(erased, 'entry', 'entries')}, ${plural(webhooks, 'webhook')} and ${plural(sent, 'delivery', 'deliveries')}.${again}`;
}
