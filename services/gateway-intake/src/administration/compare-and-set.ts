import { ServiceError } from '@order-automation/contracts';

type Stored<T> = {
  read(): Promise<T>;
  /** False when it has changed since it was read. */
  replace(document: T): Promise<boolean>;
};

/** Replaces a document that counts its changes, so that of two changes at once neither is lost. 412 `svc_version_conflict`. */
export async function compareAndSet<T extends { readonly version: number }>(
  name: string,
  { read, replace }: Stored<T>,
  change: (before: T) => T,
): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = await read();
    if (await replace({ ...change(before), version: before.version + 1 })) return;
  }
  throw new ServiceError(412, 'svc_version_conflict', `Somebody else is changing ${name}.`, { name });
}
