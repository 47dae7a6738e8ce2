import { countText } from './format';
import { address, to } from './router';

type Pagination = {
  readonly total: number;
  readonly current_page: number;
  readonly start_item: number;
  readonly end_item: number;
  readonly has_previous: boolean;
  readonly has_next: boolean;
};

/** Pages as links: each has an address. */
export function Pager({ of, more = false }: { of: Pagination; more?: boolean }) {
  const { path, query } = address.value;
  const page = (number: number) => to(path, { ...query, page: number === 1 ? '' : String(number) });
  return (
    <nav class="pager" aria-label="Further pages">
      <span>
        {countText(of.start_item)} to {countText(of.end_item)} of {countText(of.total)}
        {more ? ' or more' : ''}
      </span>
      <span class="buttons">
        {of.has_previous && (
          <a class="button small" href={page(of.current_page - 1)}>
            Newer
          </a>
        )}
        {of.has_next && (
          <a class="button small" href={page(of.current_page + 1)}>
            Older
          </a>
        )}
      </span>
    </nav>
  );
}
