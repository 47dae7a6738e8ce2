import { useEffect } from 'preact/hooks';
import { InputField } from './forms';
import { useAction, useGet } from './load';
import { safeNext } from './match';
import { Problem } from './parts';
import { address, go, place } from './router';
import { signIn } from './session';

export function SignIn() {
  const { busy, failure, run } = useAction();
  useEffect(() => {
    document.title = 'Sign in · Order automation';
    document.querySelector<HTMLInputElement>('[name=username]')?.focus();
  }, []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const done = await run(() => signIn(String(form.get('username')), String(form.get('password'))));
    if (!done) return;
    const next = new URL(safeNext(address.value.query.next), location.origin);
    await go(next.pathname, Object.fromEntries(next.searchParams), { replace: true });
  };
  return (
    <main class="signin stack">
      <p class="soft">Order automation</p>
      <h1>Sign in</h1>
      <form class="card form" onSubmit={(event) => void submit(event)}>
        <div class="body form">
          <InputField label="Name" name="username" autocomplete="username" autocapitalize="none" required />
          <InputField label="Password" name="password" type="password" autocomplete="current-password" required />
          <Problem failure={failure} />
          <button type="submit" class="main" disabled={busy}>
            Sign in
          </button>
        </div>
      </form>
      <FirstSignIn />
      <details>
        <summary>Lost your password?</summary>
        <p>
          An administrator can give you a new one. If nobody else can sign in,{' '}
          <code>npm run admin -- reset-password</code> sets one on the machine:{' '}
          <a href={`${place.base}/docs/guide/first-steps#a-lost-password`}>how to get back in</a>.
        </p>
      </details>
    </main>
  );
}

/** Where the installer has put the password, until somebody has used it. */
function FirstSignIn() {
  const { data } = useGet('GET /v1/auth/first-sign-in');
  if (!data?.first) return null;
  return (
    <p class="note">
      Nobody has signed in yet. The first administrator is <code>admin</code>. The terminal showed the password at the
      first start; it is also in <code>generated.env</code> in the data folder. A distributed installation takes it from{' '}
      <code>ADMIN_PASSWORD</code>.
    </p>
  );
}
