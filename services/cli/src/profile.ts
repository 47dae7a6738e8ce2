import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { usageError } from './failure';

export type Env = Readonly<Record<string, string | undefined>>;

/** Which installation, and as whom. `password` is an application password. */
export type Profile = { readonly url: string; readonly user: string; readonly password: string };

/** Where `orderctl login` keeps the profile, readable by its owner alone. */
export function profileFile(env: Env): string {
  const folder = env.XDG_CONFIG_HOME?.trim() || join(env.HOME?.trim() || homedir(), '.config');
  return join(folder, 'orderctl', 'login.json');
}

/** What the environment says; what it leaves out comes from the stored log-in. */
export function readProfile(env: Env): Profile {
  const stored = readStored(env);
  const given = {
    url: env.ORDERCTL_URL?.trim(),
    user: env.ORDERCTL_USER?.trim(),
    password: env.ORDERCTL_PASSWORD?.trim(),
  };
  const [url, user, password] = (['url', 'user', 'password'] as const).map((name) => given[name] || stored[name]);
  if (!url || !user || !password) {
    const missing = Object.entries({ ORDERCTL_URL: url, ORDERCTL_USER: user, ORDERCTL_PASSWORD: password })
      .filter(([, value]) => !value)
      .map(([name]) => name);
    throw usageError(
      `orderctl does not know which installation to talk to, or as whom (${missing.join(', ')} missing).`,
      'orderctl login http://127.0.0.1:8080 --user admin',
    );
  }
  const profile = { url: address(url), user, password };
  if (given.url && stored.url && !given.password && profile.url !== stored.url)
    throw usageError(
      `ORDERCTL_URL is ${profile.url}, but the stored log-in is for ${stored.url}: its password is not sent elsewhere.`,
      `orderctl login ${profile.url}`,
    );
  return profile;
}

function readStored(env: Env): Partial<Profile> {
  const file = profileFile(env);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Profile>;
  } catch {
    throw usageError(`${file} cannot be read as JSON.`, 'Delete it and log in again: orderctl login URL');
  }
}

/** The base address without a slash at the end; refuses what is none. */
export function address(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw usageError(`${JSON.stringify(text)} is no address.`, 'Write it as https://shop.example.com');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw usageError(`${text} is no http or https address.`);
  // The service refuses an application password there, after it was readable on the way (decisions.md section 9).
  if (url.protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
    throw usageError(`${text} is http: the password could be read on its way.`, `Write it as https://${url.host}`);
  if (url.username || url.password)
    throw usageError('Credentials do not belong into the address.', 'Give --user, and the password when asked.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/(pro\/)?v1$/, '')}`;
}

export function storeProfile(env: Env, profile: Profile): string {
  const file = profileFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

/** Whether there was one. */
export function forgetProfile(env: Env): boolean {
  const file = profileFile(env);
  if (!existsSync(file)) return false;
  rmSync(file);
  return true;
}
