/** Whether a rule is meant: the text is somewhere in its name, in either case, or is its id. Never a pattern. */
export function matchesSearch(rule: { readonly _id: number; readonly name: string }, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return rule.name.toLowerCase().includes(wanted) || String(rule._id) === wanted;
}
