import { known, labelIn } from './components';
import type { RuleData } from './draft';
import { sentenceOf } from './sentence';

/** A rule as a sentence: *When* … · *if* … and … · what it does. */
export function RuleSentence({ of }: { of: RuleData }) {
  const { when, ifs, does } = sentenceOf(of, labelIn(known.value));
  return (
    <span class="sentence" dir="auto">
      <em>When</em> {when || '…'}
      {ifs.length > 0 && (
        <>
          {' · '}
          <em>if</em> {ifs.join(' and ')}
        </>
      )}
      {' · '}
      <strong>{does.join(', ') || 'nothing is done'}</strong>
    </span>
  );
}
