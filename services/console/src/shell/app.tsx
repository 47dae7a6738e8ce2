import { useEffect, useState } from 'preact/hooks';
import { Opened, open, Toasts } from './dialogs';
import { Find } from './find';
import { matchPath, type Params } from './match';
import { NotAllowed } from './not-allowed';
import { listedPages, type PageComponent, type PageEntry, pages } from './pages';
import { Button, ButtonLink, Empty, Page, Waiting } from './parts';
import { address, go, place, to } from './router';
import { connection, ended, may, nextAddress, signOut, user, whenReached } from './session';
import { SignIn, SignInAgain } from './sign-in';

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
          <Current path={path} />
          <Opened />
        </main>
      </div>
      {ended.value && <SignInAgain />}
      <Toasts />
    </div>
  );
}

const banners = {
  lost: 'The service cannot be reached. Trying again... Gateways resend the webhooks that they cannot deliver meanwhile.',
  back: 'The service is back. This page is up to date again.',
};

function Connection() {
  const { value } = connection;
  if (value === 'there') return null;
  return (
    <div class={value === 'back' ? 'banner good' : 'banner'} role="status">
      {banners[value]}
    </div>
  );
}

const brand = (
  <a class="brand" href={to('/')}>
    Order automation
  </a>
);

function Navigation() {
  const { path } = address.value;
  const [expanded, setExpanded] = useState(false);
  useEffect(() => setExpanded(false), [path]);
  const find = () => open(<Find />);
  return (
    <>
      <header class="bar">
        {brand}
        <span class="buttons">
          <Button text="Find" class="small" act={find} />
          <button type="button" class="small" aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
            Menu
          </button>
        </span>
      </header>
      <aside class={expanded ? 'side open' : 'side'} aria-label="Console">
        {brand}
        <button type="button" class="findbutton" onClick={find}>
          Find <kbd>/</kbd>
        </button>
        <nav aria-label="Pages">
          <ul class="plain">
            {listedPages().map((page) => (
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
          </span>
        </div>
      </aside>
    </>
  );
}

function isWithin(page: string, path: string): boolean {
  return page === '/' ? path === '/' : path === page || path.startsWith(`${page}/`);
}

function find(path: string): { readonly entry: PageEntry; readonly params: Params } | undefined {
  for (const entry of pages) {
    const params = matchPath(entry.path, path);
    if (params) return { entry, params };
  }
  return undefined;
}

function Current({ path }: { path: string }) {
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
  if (!may(found.entry.needs)) return <NotAllowed reason="You have read-only access" />;
  if (loaded?.entry !== found.entry) return <Waiting rows={8} />;
  return <loaded.Component key={path} params={found.params} />;
}

function Nothing() {
  return (
    <Page title="There is no such page">
      <Empty title="Check the address, or start from the overview">
        <p class="buttons">
          <ButtonLink text="Overview" class="main" to="/" />
        </p>
      </Empty>
    </Page>
  );
}
