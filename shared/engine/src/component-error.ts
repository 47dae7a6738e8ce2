/** A component of an extension answered what it must not. The text is ours: it may stand in the log. */
export class ComponentError extends Error {}

/** What went wrong in a component, for the log: of errors that are not ours the name alone, since their texts may hold anything. */
export function causeText(error: unknown): string {
  if (error instanceof ComponentError) return error.message;
  return `it threw ${error instanceof Error ? error.name : typeof error}`;
}
