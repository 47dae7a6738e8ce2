import type { Command } from 'commander';
import { CliError, exitCodes } from './failure';

/** The words that may follow each command: its own commands and options. */
function wordsOf(command: Command, path = ''): [string, string[]][] {
  const own = [...command.commands.map((each) => each.name()), ...command.options.flatMap(({ long }) => long ?? [])];
  return [
    [path, own],
    ...command.commands.flatMap((each) => wordsOf(each as Command, `${path} ${each.name()}`.trim())),
  ];
}

/** A script that completes commands and options, made from the commands themselves. */
export function completionOf(program: Command, shell: string): string {
  if (shell !== 'bash' && shell !== 'zsh')
    throw new CliError(exitCodes.usage, `There is no completion for ${shell}: bash and zsh.`);
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
