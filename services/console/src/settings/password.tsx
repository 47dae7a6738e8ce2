import { say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { InputField } from '../shell/forms';
import { useAction } from '../shell/load';
import { Card, Problem } from '../shell/parts';
import { api, user } from '../shell/session';

export function Password() {
  const { busy, failure, run } = useAction();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const element = event.currentTarget as HTMLFormElement;
    const form = new FormData(element);
    const body = { current: String(form.get('current')), new: String(form.get('new')) };
    const done = await run(() => api('PUT /v1/auth/password', { body }));
    if (!done) return;
    element.reset();
    say(`Your password is changed; ${plural(done.sessions_ended, 'other session')} ended.`);
  };
  return (
    <Card title="Password">
      <form class="form" onSubmit={(event) => void submit(event)}>
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
        <Problem failure={failure} />
        <p class="buttons">
          <button type="submit" class="main" disabled={busy}>
            Change the password
          </button>
        </p>
      </form>
    </Card>
  );
}
