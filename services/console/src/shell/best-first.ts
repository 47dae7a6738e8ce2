type Named = { readonly value: string; readonly label: string };

/** Whether the text is a name of it, case aside. Pure. */
export const isNamed = ({ value, label }: Named, text: string): boolean =>
  [value, label].some((name) => name.toLowerCase() === text.toLowerCase());

/** At most 50: what the text names exactly, then what begins with it, what has it in its name, and the rest. Pure. */
export function bestFirst<One extends Named>(found: readonly One[], text: string): One[] {
  const words = text.toLowerCase();
  const rankOf = (one: One): number => {
    const name = one.label.toLowerCase();
    if (isNamed(one, text)) return 0;
    return name.startsWith(words) ? 1 : name.includes(words) ? 2 : 3;
  };
  return [...found].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, 50);
}
