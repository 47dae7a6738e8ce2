import { createHash } from 'node:crypto';
import type { Route } from '../routes/route';
import { type DocumentInfo, type OpenApi, openApiOf } from './document';

/** What the documentation routes answer; made when it is first read. */
export type Documentation = { readonly openApi: { readonly document: OpenApi; readonly tag: string } };

export function documentationOf(table: readonly Route[], info: DocumentInfo): Documentation {
  let openApi: Documentation['openApi'] | undefined;
  return {
    get openApi() {
      openApi ??= tagged(openApiOf(table, info));
      return openApi;
    },
  };
}

function tagged(document: OpenApi): Documentation['openApi'] {
  const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64url');
  return { document, tag: `"${digest.slice(0, 22)}"` };
}
