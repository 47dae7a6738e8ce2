import { useEffect, useState } from 'preact/hooks';
import { Questions, Toasts } from './dialogs';
import { Find } from './find';
import { finding, Keys, listing, opened } from './keys';
import { matchPath, type Params } from './match';
import { type PageComponent, type PageEntry, pages } from './pages';
import { Button, Empty, Page, Waiting } from './parts';
import { place } from './place';
import { address, go, to } from './router';
import { connection, may, nextAddress, signOut, user, whenReached } from './session';
import { SignIn } from './sign-in';

/** The page at the address; a visitor who is not signed in signs in first. */
export function App() {
  const { path } = address.value;
  const known = user.value;
  useEffect(() => {
    if (known === null && path !== '/sign-in' && find(path)) {
      const next = nextAddress();
      void go('/sign-in', next === '/' ? {} : { next }, { replace: true });
    }
  }, [known, path]);
  if (path === '/sign-in') return <SignIn />;
  if (!known)
    return find(path) ? null : (
      <main class="signin">
        <Nothing />
      </main>
    );
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Navigation />
      <div>
        <Connection />
        <main id="content">
          <Opened path={path} />
        </main>
      </div>
      <Find />
      <Keys />
      <Questions />
      <Toasts />
    </div>
  );
}

function Connection() {
  if (connection.value === 'there') return null;
  if (connection.value === 'back') {
    return (
      <div class="banner good" role="status">
        The service is back. This page is up to date again.
      </div>
    );
  }
  return (
    <div class="banner" role="status">
      The service cannot be reached. Trying again... Gateways resend the webhooks that they cannot deliver meanwhile.
    </div>
  );
}

function Navigation() {
  const { path } = address.value;
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const find = () => {
    finding.value = true;
  };
  return (
    <>
      <header class="bar">
        <a class="brand" href={to('/')}>
          Order automation
        </a>
        <span class="buttons">
          <Button text="Find" class="small" act={find} />
          <button type="button" class="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            Menu
          </button>
        </span>
      </header>
      <aside class={open ? 'side open' : 'side'} aria-label="Console">
        <a class="brand" href={to('/')}>
          Order automation
        </a>
        <button type="button" class="findbutton" onClick={find}>
          Find <kbd>/</kbd>
        </button>
        <nav aria-label="Pages">
          <ul class="plain">
            {opened().map((page) => (
              <li key={page.path}>
                <a href={to(page.path)} aria-current={isWithin(page.path, path) ? 'page' : undefined}>
                  {page.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="foot">
          <a href={`${place.base}/docs`}>Documentation</a>
          <span class="soft">
            {user.value?.name}
            <br />
            <small>Version {place.version}</small>
          </span>
          <span class="buttons">
            <Button text="Sign out" class="small" act={signOut} />
            <Button
              text="?"
              class="small"
              label="Keyboard shortcuts"
              act={() => {
                listing.value = true;
              }}
            />
          </span>
        </div>
      </aside>
    </>
  );
}

function isWithin(page: string, path: string): boolean {
  return page === '/' ? path === '/' : path === page || path.startsWith(`${page}/`);
}

type Found = { readonly entry: PageEntry; readonly params: Params };

function find(path: string): Found | undefined {
  for (const entry of pages) {
    const params = matchPath(entry.path, path);
    if (params) return { entry, params };
  }
  return undefined;
}

function Opened({ path }: { path: string }) {
  const found = find(path);
  const [loaded, setLoaded] = useState<{ entry: PageEntry; Component: PageComponent } | undefined>();
  const entry = found?.entry;
  useEffect(() => {
    if (!entry) return;
    let current = true;
    entry.load().then(
      (Component) => current && setLoaded({ entry, Component }),
      // The service is away, or the files of the console have other names after an update.
      () => whenReached().then(() => current && location.reload()),
    );
    return () => {
      current = false;
    };
  }, [entry]);
  if (!found) return <Nothing />;
  if (!may(found.entry.needs)) return <NotAllowed />;
  if (loaded?.entry !== found.entry) return <Waiting rows={8} />;
  return <loaded.Component key={path} params={found.params} />;
}

function Nothing() {
  return (
    <Page title="There is no such page">
      <Empty title="Check the address, or start from the overview">
        <p class="buttons">
          <a class="button main" href={to('/')}>
            Overview
          </a>
        </p>
      </Empty>
    </Page>
  );
}

function NotAllowed() {
  return (
    <Page title="No access">
      <Empty title="You have read-only access">
        <p>An administrator can change your role in the settings.</p>
      </Empty>
    </Page>
  );
}
