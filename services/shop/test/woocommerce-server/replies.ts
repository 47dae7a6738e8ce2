export type Fields = Record<string, unknown>;
export type Call = {
  readonly method: string;
  /** The method of the request itself: WordPress takes another one from `?_method=` of a POST. */
  readonly sentAs?: string | undefined;
  /** Below `/wp-json/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Fields;
};
export type Reply = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

export const problem = (status: number, code: string, message: string, data: Fields = {}): Reply => ({
  status,
  body: { code, message, data: { status, ...data } },
});
export const ok = (body: unknown, status = 200): Reply => ({ status, body });
