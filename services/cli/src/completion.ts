import type { Command } from 'commander';
import type { Commands } from './commands';
import { usageError } from './failure';

/** The words that may follow each command: its own commands and options. */
function wordsOf(command: Command, path = ''): [string, string[]][] {
  const own = [...command.commands.map((each) => each.name()), ...command.options.flatMap(({ long }) => long ?? [])];
  return [
    [path, own],
    ...command.commands.flatMap((each) => wordsOf(each as Command, `${path} ${each.name()}`.trim())),
  ];
}

/** `completion SHELL`: a script that completes commands and options, made from the commands themselves. */
export const completion = (program: Command): Commands => ({
  completion: ({ shell }: { shell: string }, { terminal }) => terminal.write(scriptOf(program, shell)),
});

function scriptOf(program: Command, shell: string): string {
  if (shell !== 'bash' && shell !== 'zsh') throw usageError(`There is no completion for ${shell}: bash and zsh.`);
  const cases = wordsOf(program).map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`);
  const script = `_orderctl() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _orderctl orderctl
`;
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}
