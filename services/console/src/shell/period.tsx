import { dayBounds, dayOf } from './days';
import { address, place, to } from './router';

const day = 86_400_000;

type PeriodProps = {
  /** The parameters of the address that hold the first and the last instant. */
  readonly from: string;
  readonly until: string;
};

/** The usual periods by the clocks of the shop, each with an address. */
export function Period({ from, until }: PeriodProps) {
  const { path, query } = address.value;
  const dayBefore = (days: number) =>
    dayBounds(dayOf(new Date(Date.now() - days * day).toISOString(), place.timeZone), place.timeZone);
  const periods = {
    'Any time': { from: '', to: '' },
    Today: { ...dayBefore(0), to: '' },
    Yesterday: dayBefore(1),
    '7 days': { ...dayBefore(6), to: '' },
  };
  return (
    <nav class="buttons" aria-label="Period">
      {Object.entries(periods).map(([text, { from: first, to: last }]) => {
        const isChosen = (query[from] ?? '') === first && (query[until] ?? '') === last;
        return (
          <a
            key={text}
            class="button small"
            href={to(path, { ...query, [from]: first, [until]: last, page: '' })}
            aria-current={isChosen ? 'page' : undefined}
          >
            {text}
          </a>
        );
      })}
    </nav>
  );
}
