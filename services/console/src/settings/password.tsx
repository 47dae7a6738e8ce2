import { say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { Form, InputField } from '../shell/forms';
import { useAction } from '../shell/load';
import { Card } from '../shell/parts';
import { api, user } from '../shell/session';

export function Password() {
  const action = useAction();
  const { run } = action;
  const submit = async (form: FormData, element: HTMLFormElement) => {
    const body = { current: String(form.get('current')), new: String(form.get('new')) };
    const done = await run(() => api('PUT /v1/auth/password', { body }));
    if (!done) return;
    element.reset();
    say(`Your password is changed; ${plural(done.sessions_ended, 'other session')} ended.`);
  };
  return (
    <Card title="Password">
      <Form text="Change the password" action={action} submit={submit}>
        <input name="username" autocomplete="username" value={user.value?.name} hidden readOnly />
        <InputField label="Current password" name="current" type="password" autocomplete="current-password" required />
        <InputField
          label="New password"
          hint="It ends your other sessions. Application passwords stay."
          name="new"
          type="password"
          autocomplete="new-password"
          required
        />
      </Form>
    </Card>
  );
}
