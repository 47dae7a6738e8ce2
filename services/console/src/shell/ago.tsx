import { signal } from '@preact/signals';
import { distanceText } from './format';
import { Time } from './parts';

const day = 24 * 60 * 60 * 1000;
const clock = signal(0);

/** Lets what says how long ago something was keep up with the time. */
export function startClock(): void {
  setInterval(() => {
    clock.value = Date.now();
  }, 10_000);
}

/** In lists: how long ago within a day, else by the clocks of the shop; pointing at it shows the exact instant. */
export function Ago({ at }: { at: string | null }) {
  const now = Math.max(clock.value, Date.now());
  const isRecent = at !== null && Math.abs(now - Date.parse(at)) < day;
  return <Time at={at} text={isRecent ? distanceText(at, now) : undefined} />;
}
