import { useEffect, useState } from 'preact/hooks';
import { Questions, Toasts } from './dialogs';
import { Find } from './find';
import { finding, Keys, listing, opened } from './keys';
import { matchPath, type Params } from './match';
import { type PageComponent, type PageEntry, pages } from './pages';
import { Button, Empty, Page, Waiting } from './parts';
import { place } from './place';
import { address, go, to } from './router';
import { connection, may, nextAddress, signOut, user } from './session';
import { SignIn } from './sign-in';

/** The page at the address for whoever is signed in. */
export function App() {
  const { path } = address.value;
  const known = user.value;
  useEffect(() => {
    if (known === null && path !== '/sign-in') {
      const next = nextAddress();
      void go('/sign-in', next === '/' ? {} : { next }, { replace: true });
    }
  }, [known, path]);
  if (path === '/sign-in') return <SignIn />;
  if (!known) return null;
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
        The service is back. What you see was read again.
      </div>
    );
  }
  return (
    <div class="banner" role="status">
      The service cannot be reached. Trying again; webhooks that arrive meanwhile are sent again by their gateways.
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
          <span class="who soft">
            {user.value?.name}
            <br />
            <small>Version {place.version}</small>
          </span>
          <span class="buttons">
            <Button text="Sign out" class="small" act={signOut} />
            <Button
              text="?"
              class="small"
              label="List the keys"
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
      // The files of the console have other names after an update.
      () => current && location.reload(),
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
      <Empty title="Nothing stands at this address.">
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
    <Page title="Not for this account">
      <Empty title="This page changes the shop.">
        <p>Your account reads reports. An administrator can give it another role in the settings.</p>
      </Empty>
    </Page>
  );
}
