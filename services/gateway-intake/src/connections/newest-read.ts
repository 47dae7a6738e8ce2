/**
 * A function that reads and applies what it found. Reads may overlap: what one found that began earlier never replaces what a later one did.
 * Rejects when the read does.
 */
export function newestRead<Found>(read: () => Promise<Found>, apply: (found: Found) => void): () => Promise<void> {
  let begun = 0;
  let applied = 0;
  return async () => {
    begun += 1;
    const turn = begun;
    const found = await read();
    if (turn < applied) return;
    applied = turn;
    apply(found);
  };
}
