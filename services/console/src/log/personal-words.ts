import { signal } from '@preact/signals';

/** Words that name a person: kept here, and not in the address. */
export const personalWords = signal('');
