import type { ConfigDefinition, ConfigField } from './config';

/** Whether a command was asked what it does. */
export const wantsHelp = (args: readonly string[] = process.argv.slice(2)): boolean =>
  args.includes('--help') || args.includes('-h');

type Help = {
  /** As it is typed: `npm start`. */
  readonly command: string;
  /** What it does, in a sentence or two. */
  readonly what: string;
  readonly definitions: readonly ConfigDefinition[];
};

/** What a command does, and the variables that it reads. */
export function helpText({ command, what, definitions }: Help): string {
  const fields = new Map(
    definitions.flatMap((definition) => Object.values(definition)).map((field) => [field.env, field]),
  );
  const variables = [...fields.values()].map((field) => {
    const standard = defaultOf(field).replaceAll('`', '');
    return `  ${field.env}\n      ${field.description.replaceAll('`', '')}\n      default: ${standard}; example: ${field.env}=${field.example}`;
  });
  return `Usage: ${command} [--help]

${what}

Settings come from the environment, or from a file .env in this folder; of X_FILE the value is read from that file:

${variables.join('\n')}
`;
}

/** In Markdown. */
export function defaultOf(field: ConfigField): string {
  if (field.defaultText !== undefined) return field.defaultText;
  const parsed = field.schema.safeParse(undefined);
  if (!parsed.success || parsed.data === undefined || parsed.data === '') return 'none';
  return `\`${Array.isArray(parsed.data) ? parsed.data.join(' ') : String(parsed.data)}\``;
}
