import type { Change } from '../shell/changes';
import { inWords } from '../shell/format';
import { type Choice, type Draft, kinds, partsOf } from './draft';
import names from './kinds.json';
import type { LabelOf } from './sentence';

/** What differs between two versions of a rule, value by value: as it was and as it is, null where there was or is nothing. Pure. */
export function versionChanges(before: Draft, after: Draft, labelOf: LabelOf): Change[] {
  const label = ({ id }: Choice) => labelOf(id) ?? inWords(id);
  const parts = kinds.flatMap((kind) => {
    const { pairs, added, removed } = paired(partsOf(before.rule)[kind], partsOf(after.rule)[kind]);
    return [
      ...pairs.flatMap(([was, is]) => settingChanges(was, is, label(is))),
      ...removed.map((one) => ({ field: names[kind], from: label(one), to: null })),
      ...added.map((one) => ({ field: names[kind], from: null, to: label(one) })),
    ];
  });
  const [was, is] = [before, after].map((one) => (one.stop_processing ? 'Do not run' : 'Run'));
  return [
    ...difference('Name', before.name, after.name),
    ...parts,
    ...difference('Rules after it, when it matched', was, is),
  ];
}

/** Each part beside the one that it was: itself, else one of the same kind with other settings. */
function paired(before: readonly Choice[], after: readonly Choice[]) {
  const removed = [...before];
  const pairs: [Choice, Choice][] = [];
  const take = (all: readonly Choice[], is: (was: Choice, now: Choice) => boolean): Choice[] =>
    all.filter((now) => {
      const at = removed.findIndex((was) => is(was, now));
      const [was] = at < 0 ? [] : removed.splice(at, 1);
      if (was) pairs.push([was, now]);
      return was === undefined;
    });
  const changed = take(after, (was, now) => was.id === now.id && textOf(was.settings) === textOf(now.settings));
  const added = take(changed, (was, now) => was.id === now.id);
  return { pairs, added, removed };
}

function settingChanges(was: Choice, is: Choice, label: string): Change[] {
  const keys = [...new Set([...Object.keys(was.settings), ...Object.keys(is.settings)])];
  return keys.flatMap((key) => difference(`${label}, ${inWords(key)}`, was.settings[key], is.settings[key]));
}

function difference(field: string, was: unknown, is: unknown): Change[] {
  const [from, to] = [textOf(was), textOf(is)];
  return from === to ? [] : [{ field, from, to }];
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
