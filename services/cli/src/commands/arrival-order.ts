import type { Commands } from '../commands';
import { show } from '../context';
import { exitCodes, readJson } from '../failure';
import { counted, plain } from '../output';
import { present, wholeNumber } from '../values';

export const arrivalOrder: Commands = {
  'rules arrival-order': async ({ file, rule }: { file?: string; rule?: string }, context) => {
    const rule_id = rule && wholeNumber(rule, '--rule');
    const draft = file === undefined ? undefined : { ...present({ rule_id }), name: file, rule: readJson(file) };
    const answer = await context.api().call('POST /v1/rules/arrival-order', { body: present({ draft }) as never });
    const { checked, findings, unreached, is_truncated } = answer;
    if (findings.length > 0) context.exit(exitCodes.no);
    show(context, answer, () => {
      const lines = findings.map(({ text }) => `  ${plain(text)}\n`);
      const left = unreached.map(
        ({ name }) => `  Not looked at: ${plain(name)}, whose conditions no order fulfilled.\n`,
      );
      if (is_truncated) left.push('  Not all was tried: there may be more.\n');
      const found = `${counted(findings.length, 'finding')} among ${counted(checked, 'rule')}`;
      return [lines.length + left.length > 0 ? `${found}:\n` : `${found}.\n`, ...lines, ...left].join('');
    });
  },
};
