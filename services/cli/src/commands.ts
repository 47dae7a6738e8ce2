import type { CallOf, Routes } from '@order-automation/api-gateway/client';
import type { Command } from 'commander';
import type { RowOf, Success } from './api';
import help from './commands.json';
import { type Context, show } from './context';
import { type Columns, table } from './output';

type Texts = Readonly<Record<string, string>>;

type Help = {
  readonly about: string;
  /** What each argument is, by how it is written: `<id>`, `[version]`, `[words...]`. */
  readonly takes?: Texts;
  /** Options that must be given, by how they are written. */
  readonly needs?: Texts;
  /** Other options; two texts are what it is and its default. */
  readonly options?: Readonly<Record<string, string | readonly string[]>>;
  /** Whether it has the option of commands that ask before they change something, or of lists. */
  readonly asks?: boolean;
  readonly limited?: boolean;
};

/** What a command does. `given` are arguments and options by name, `first` is the first argument. */
type Run = (given: never, context: Context, first: string) => Promise<void> | void;

/** One command; `commands.json` has of its help what stands for it alone. */
type Spec = Partial<Help> & {
  /** What its group does when none of its commands is named. */
  readonly isDefault?: boolean;
  readonly run: Run;
};

const helpOf: Readonly<Record<string, Help>> = help;

/** Commands by their words, such as `rules list`; a group has what its help says. */
export type Commands = Readonly<Record<string, Spec | Run | string>>;

export const asks = { '-y, --yes': 'do not ask' } as const;
export const limited = { '--limit <n>': ['how many', '20'] } as const;

export function addCommands(program: Command, commands: Commands, context: Context): void {
  for (const [words, spec] of Object.entries(commands)) {
    const groups = words.split(' ');
    const name = groups.pop() ?? '';
    const parent = groups.reduce((at, group) => at.commands.find((each) => each.name() === group) ?? at, program);
    if (typeof spec === 'string') parent.command(name).description(spec);
    else addCommand(parent, name, typeof spec === 'function' ? { run: spec } : spec, helpOf[words], context);
  }
}

function addCommand(parent: Command, name: string, spec: Spec, help: Help | undefined, context: Context): void {
  const command = parent.command(name, { isDefault: spec.isDefault ?? false });
  command.description(spec.about ?? help?.about ?? '');
  for (const [name, text] of Object.entries({ ...help?.takes, ...spec.takes })) command.argument(name, text);
  for (const [flags, text] of Object.entries({ ...help?.needs, ...spec.needs })) command.requiredOption(flags, text);
  const common = { ...(help?.limited && limited), ...(help?.asks && asks) };
  for (const [flags, texts] of Object.entries({ ...help?.options, ...spec.options, ...common })) {
    const [text, value] = [texts].flat();
    command.option(flags, text, value);
  }
  command.action((...values) => {
    const named = command.registeredArguments.map((argument, at) => [argument.name(), values[at]]);
    const given = { ...Object.fromEntries(named), ...command.opts() };
    return spec.run(given as never, { ...context, isSure: given.yes === true }, values[0]);
  });
}

type List<Name extends keyof Routes, Rows extends keyof Success<Name>, Given> = {
  readonly rows: Rows;
  readonly columns: Columns<RowOf<Name, Rows>>;
  /** The title of the column that is cut to fit a terminal. */
  readonly flexible?: string;
  /** Stands there when there is no row. */
  readonly none: string;
  readonly call?: (given: Given, first: string) => object;
};

/** What prints the list that a route answers with. */
export const lists =
  <Name extends keyof Routes, Rows extends keyof Success<Name>, Given = unknown>(
    name: Name,
    { rows, columns, flexible, none, call = () => ({}) }: List<Name, Rows, Given>,
  ) =>
  async (given: Given, context: Context, first: string): Promise<void> => {
    const answer = (await context.api().call(name, call(given, first) as CallOf<Name>)) as Success<Name>;
    const found = answer[rows] as readonly RowOf<Name, Rows>[];
    const { isInteractive, width } = context.terminal;
    show(context, answer, () =>
      found.length === 0 ? `${none}\n` : table(found, columns, isInteractive ? width : undefined, flexible),
    );
  };
