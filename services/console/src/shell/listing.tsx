import type { ComponentChildren } from 'preact';
import { countText } from './format';
import type { Loaded } from './load';
import { OrderLink } from './order-number';
import { Empty, Shown } from './parts';
import { address, to } from './router';
import type { Body } from './session';

type Cell<Row> = (row: Row) => ComponentChildren;
export type Column<Row> = {
  readonly class?: 'when' | 'outcome' | 'number';
  /** On a narrow screen, which shows no heads, the title stands before what is not empty. */
  readonly named?: boolean;
  readonly cell: Cell<Row>;
};
/** By title: what stands in the cells. */
export type Columns<Row> = Readonly<Record<string, Cell<Row> | Column<Row>>>;

/** The order of a row, where it has one. */
export const orderColumn = {
  Order: {
    named: true,
    cell: ({ order_id }: { readonly order_id: number | null }) => order_id !== null && <OrderLink id={order_id} />,
  },
} as const;

type TableProps<Row> = {
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  /** Whether its rows become blocks on a narrow screen. */
  readonly folds?: boolean;
};

export function Table<Row>({ columns: of, rows, folds = true }: TableProps<Row>) {
  if (rows.length === 0) return <Empty title="None" />;
  const columns = Object.entries(of).map(([title, column]): Column<Row> & { readonly title: string } =>
    typeof column === 'function' ? { title, cell: column } : { title, ...column },
  );
  return (
    <table class={folds ? 'folds' : undefined}>
      <thead>
        <tr>
          {columns.map(({ title, class: look }) => (
            <th key={title} scope="col" class={look}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={(row as { id?: string }).id ?? index}>
            {columns.map(({ title, class: look, named = false, cell }) => {
              const content = cell(row);
              return (
                <td key={title} class={look} data-label={named && content ? title : undefined}>
                  {content && <bdi>{content}</bdi>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Paged = { readonly pagination?: Pagination; readonly meta?: { readonly is_truncated?: boolean } };
type ListingProps<Data, Row> = Omit<TableProps<Row>, 'rows'> & {
  readonly of: Loaded<Data>;
  readonly rows: (data: Data) => readonly Row[];
  /** False where it shows the newest rows alone. */
  readonly paged?: boolean;
  /** Stands there when there is no row. */
  readonly empty: { readonly title: string; readonly children?: ComponentChildren };
};

/** A list of the service: room while it is read, why it is not there, that it is empty, or a page of it with links to the others. */
export function Listing<Data extends object, Row>({
  of,
  rows,
  empty,
  paged = true,
  ...table
}: ListingProps<Data, Row>) {
  return (
    <Shown of={of} rows={8}>
      {(data) => {
        const found = rows(data);
        const { pagination, meta } = data as Paged;
        const isBeyond = found.length === 0 && pagination !== undefined && pagination.total > 0;
        if (found.length === 0 && !isBeyond) return <Empty {...empty} />;
        return (
          <div class={of.loading ? 'fading' : undefined}>
            <Table {...table} rows={found} />
            {paged && pagination && <Pager of={pagination} more={meta?.is_truncated ?? false} />}
          </div>
        );
      }}
    </Shown>
  );
}

type Pagination = Body<'GET /v1/rules'>['pagination'];

/** The page of a list that the address names: about two screens of rows. */
export const paging = () => ({ page: Number(address.value.query.page) || 1, per_page: 30 });

/** Pages as links: each has an address. */
function Pager({ of, more }: { of: Pagination; more: boolean }) {
  const { path, query } = address.value;
  const link = (text: string, page: number) => (
    <a class="button small" href={to(path, { ...query, page: page === 1 ? '' : String(page) })}>
      {text}
    </a>
  );
  return (
    <nav class="pager" aria-label="Further pages">
      <span>
        {countText(of.start_item)} to {countText(of.end_item)} of {countText(of.total)}
        {more ? ' or more' : ''}
      </span>
      <span class="buttons">
        {of.has_previous && link('Newer', Math.min(of.current_page - 1, of.total_pages))}
        {of.has_next && link('Older', of.current_page + 1)}
      </span>
    </nav>
  );
}

type TabsProps = {
  readonly label: string;
  /** The parameter of the address that says which one is shown; the first one needs none. */
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  readonly class?: string;
};

/** One of several views of a page, each with an address. */
export function Tabs({ label, name, options, class: look = 'buttons' }: TabsProps) {
  const { path, query } = address.value;
  const [first] = Object.keys(options);
  const chosen = chosenOf(name, options);
  return (
    <nav class={look} aria-label={label}>
      {Object.entries(options).map(([value, text]) => (
        <a
          key={value}
          class={look === 'buttons' ? 'button small' : undefined}
          href={to(path, { ...query, [name]: value === first ? '' : value, page: '' })}
          aria-current={value === chosen ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

/** The option that the address names, else the first one. */
export function chosenOf<Name extends string>(name: string, options: Readonly<Record<Name, string>>): Name {
  const names = Object.keys(options) as Name[];
  return names.find((one) => one === address.value.query[name]) ?? (names[0] as Name);
}
