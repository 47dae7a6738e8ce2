export type WebhookAddress = { readonly gateway: string; readonly connection: string | null };

const longestName = 100;

/**
 * Which gateway and connection a path below `…/webhooks/` addresses: `{gateway}` or `generic/{connection}` (section 4.3 of the specification).
 * Undefined when it is the path of something else. The name is whatever the sender wrote: whether there is such a gateway is intake's to say.
 */
export function webhookAddress(url: string, prefix: string): WebhookAddress | undefined {
  if (!url.startsWith(prefix)) return undefined;
  const query = url.indexOf('?', prefix.length);
  const end = query === -1 ? url.length : query;
  const path = url.slice(prefix.length, url[end - 1] === '/' ? end - 1 : end);
  if (path === '') return undefined;
  const slash = path.indexOf('/');
  if (slash === -1) return { gateway: nameOf(path), connection: null };
  if (path.slice(0, slash) !== 'generic') return undefined;
  const connection = path.slice(slash + 1);
  if (connection === '' || connection.includes('/')) return undefined;
  return { gateway: 'generic', connection: nameOf(connection) };
}

function nameOf(segment: string): string {
  if (!segment.includes('%')) return segment.slice(0, longestName);
  try {
    return decodeURIComponent(segment).slice(0, longestName);
  } catch {
    return segment.slice(0, longestName);
  }
}
