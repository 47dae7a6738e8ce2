import { gatewayEvent } from './named-occurrence';

/** An event type in words: "Payment succeeded" in quotes, or what the sender calls it. */
export function eventText(type: string): string {
  const label = gatewayEvent(type).known?.label;
  return label === undefined ? `"${type.replaceAll('_', ' ')}"` : `"${label}"`;
}

/** A status in words: "on hold". */
export const statusText = (status: string): string => status.replaceAll('-', ' ');

/** "12:03 UTC on 23 November 2026". */
export function momentText(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
  return `${date.toISOString().slice(11, 16)} UTC on ${day}`;
}
