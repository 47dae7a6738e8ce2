import { useLayoutEffect } from 'preact/hooks';
import { Dialog } from './dialogs';
import { Form, InputField } from './forms';
import { useGet } from './load';
import { safeNext } from './match';
import { Card } from './parts';
import { address, go, place } from './router';
import { signIn, user } from './session';

export function SignIn() {
  useLayoutEffect(() => {
    document.title = 'Sign in · Order automation';
    document.querySelector<HTMLInputElement>('[name=username]')?.focus();
  }, []);
  const goOn = () => {
    const next = new URL(safeNext(address.value.query.next), location.origin);
    return go(next.pathname, Object.fromEntries(next.searchParams), { replace: true });
  };
  return (
    <main class="signin stack">
      <p class="soft">Order automation</p>
      <h1>Sign in</h1>
      <Card>
        <Credentials then={goOn} />
      </Card>
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

function Credentials({ name = '', then }: { name?: string; then?: () => unknown }) {
  return (
    <Form
      text="Sign in"
      work={({ username = '', password = '' }) => signIn(username, password)}
      {...(then && { then })}
    >
      <InputField
        label="User name"
        name="username"
        autocomplete="username"
        autocapitalize="none"
        defaultValue={name}
        required
      />
      <InputField
        label="Password"
        name="password"
        type="password"
        autocomplete="current-password"
        autofocus={name !== ''}
        required
      />
    </Form>
  );
}

/** Signs in over the page, whose drafts stay. */
export function SignInAgain() {
  return (
    <Dialog title="Your session has ended" dismiss={() => undefined}>
      <p>Sign in again. Your page and what you were editing stay as they are.</p>
      <Credentials name={user.value?.name ?? ''} />
    </Dialog>
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
