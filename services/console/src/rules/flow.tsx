import { sentence } from '../shell/format';
import { Status } from '../shell/parts';
import { verdictOf } from './builder';
import { known, labelIn } from './components';
import { type Kind, partId, partsOf, type RuleData } from './draft';
import { sentenceOf } from './sentence';
import type { TestResult } from './try-out';

/** Shows the form of a part: its first field, or the part itself where it has none. */
function show(kind: Kind, index: number): void {
  const part = document.getElementById(partId(kind, index));
  part?.scrollIntoView({ block: 'center' });
  (part?.querySelector<HTMLElement>('input, select, textarea') ?? part)?.focus({ preventScroll: true });
}

/** A rule as a picture: what starts it, what must be true, what it does; each part leads to its form, and says its verdict. */
export function Flow({ of: rule, tested }: { of: RuleData; tested: TestResult | undefined }) {
  const { when, ifs, does } = sentenceOf(rule, labelIn(known.value));
  const main = partsOf(rule).primaryActions.length;
  const box = (kind: Kind, index: number, text: string) => {
    const verdict = verdictOf(tested, kind, index);
    return (
      <button type="button" key={index} onClick={() => show(kind, index)}>
        {sentence(text)} {verdict && <Status value={verdict.passed ? 'pass' : 'fail'} label={verdict.word} />}
      </button>
    );
  };
  const conditions = ifs.map((text, index) => box('conditions', index, text));
  const actions = does.map((text, index) =>
    index < main ? box('primaryActions', index, text) : box('secondaryActions', index - main, text),
  );
  return (
    <nav class="flow" aria-label="The rule as a picture" dir="auto">
      <div>{box('triggers', 0, when)}</div>
      {conditions.length > 0 && <Arrow />}
      {conditions.length > 0 && <div>{conditions}</div>}
      <Arrow text={conditions.length > 1 ? 'all true' : conditions.length === 1 ? 'true' : ''} />
      <div>{actions.length > 0 ? actions : <small>Nothing is done</small>}</div>
    </nav>
  );
}

function Arrow({ text = '' }: { text?: string }) {
  return (
    <small class="arrow">
      {text}
      <svg viewBox="0 0 32 12" aria-hidden="true">
        <path d="M1 6h29M25 1l5 5-5 5" />
      </svg>
    </small>
  );
}
