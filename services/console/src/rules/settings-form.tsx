import type { PartialInputHTMLAttributes } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Check, type ControlProps, Field, Suggestions } from '../shell/forms';
import { useGet } from '../shell/load';
import { Button } from '../shell/parts';
import { ListField } from './list-field';
import {
  type FormField,
  formOf,
  numberOf,
  type Option,
  problemText,
  type Schema,
  type Settings,
  shownSettings,
} from './schema-form';

type SettingsFormProps = {
  readonly schema: Schema;
  readonly settings: Settings;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (settings: Settings) => void;
};

export function SettingsForm({ schema, settings: given, problems, change }: SettingsFormProps) {
  const settings = shownSettings(given);
  const fields = formOf(schema, settings);
  return (
    <div class="settings">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={settings[field.name]}
          problem={problemText(field.title, problems[field.name])}
          change={(value) => change({ ...settings, [field.name]: value })}
        />
      ))}
      {problems[''] !== undefined && <p class="problem">{problems['']}</p>}
    </div>
  );
}

type OneFieldProps = {
  readonly field: FormField;
  readonly value: unknown;
  readonly problem: string | undefined;
  readonly change: (value: unknown) => void;
};

function OneField({ field, value, problem, change }: OneFieldProps) {
  const { control, title, hint } = field;
  if (control.kind === 'flag') {
    return (
      <div class="field wide">
        <Check label={title} checked={value === true} onChange={() => change(value !== true)} />
        <small>{hint}</small>
      </div>
    );
  }
  if (control.kind === 'choices') {
    return <Choices field={field} options={control.options} value={listOf(value)} problem={problem} change={change} />;
  }
  const wide = control.kind === 'list' || (control.kind === 'text' && control.long);
  return (
    <div class={wide ? 'wide' : ''}>
      <Field label={title} hint={hint} problem={problem}>
        {(props) => <Input field={field} props={props} value={value} change={change} />}
      </Field>
    </div>
  );
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

type InputProps = Omit<OneFieldProps, 'problem'> & { readonly props: ControlProps };

function Input({ field, props, value, change }: InputProps) {
  const { control, required } = field;
  switch (control.kind) {
    case 'choice':
      return (
        <select {...props} value={textOf(value)} onChange={(event) => change(event.currentTarget.value)}>
          {value === undefined && <option value="">Choose</option>}
          {control.options.map(({ value: option, label }) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      );
    case 'number':
      return (
        <NumberInput
          {...props}
          inputMode={control.whole ? 'numeric' : 'decimal'}
          required={required}
          value={value}
          read={(text) => numberOf(text, control.whole)}
          change={change}
        />
      );
    case 'time':
      return (
        <input {...props} type="time" value={textOf(value)} onInput={(event) => change(event.currentTarget.value)} />
      );
    case 'list':
      return <ListField field={field} control={props} values={listOf(value)} change={change} />;
    default:
      return <Text field={field} props={props} value={value} change={change} />;
  }
}

type NumberInputProps = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'value' | 'role'> & {
  readonly value: unknown;
  readonly read: (text: string) => unknown;
  readonly change: (value: unknown) => void;
};

/** A browser's own number input drops a comma: 12,50 becomes 1250. */
function NumberInput({ value, read, change, ...input }: NumberInputProps) {
  const [typed, setTyped] = useState('');
  const onInput = ({ currentTarget: { value: text } }: { currentTarget: HTMLInputElement }) => {
    setTyped(text);
    change(read(text));
  };
  return <input {...(input as object)} value={read(typed) === value ? typed : textOf(value)} onInput={onInput} />;
}

function Text({ field, props, value, change }: InputProps) {
  const { control, placeholders, examples, name } = field;
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const insert = (placeholder: string) => {
    const text = textOf(value);
    const at = input.current?.selectionStart ?? text.length;
    change(text.slice(0, at) + placeholder + text.slice(at));
    input.current?.focus();
  };
  const shared = {
    ...props,
    ref: input,
    dir: 'auto' as const,
    value: textOf(value),
    placeholder: examples[0],
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  const list = { timezone: 'time-zones', secret_ref: 'outbound-secrets' }[name];
  return (
    <>
      {control.kind === 'text' && control.long ? <textarea {...shared} /> : <input {...shared} list={list} />}
      {name === 'timezone' && <Suggestions id="time-zones" of={Intl.supportedValuesOf('timeZone')} />}
      {name === 'secret_ref' && <OutboundSecrets />}
      {placeholders.length > 0 && (
        <details>
          <summary>Insert a placeholder</summary>
          <div class="buttons">
            {placeholders.map((placeholder) => (
              <Button key={placeholder} text={placeholder.slice(2, -2)} class="small" act={() => insert(placeholder)} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function OutboundSecrets() {
  const { data } = useGet('GET /v1/secrets');
  return <Suggestions id="outbound-secrets" of={(data?.secrets ?? []).map(({ name }) => name)} />;
}

type ChoicesProps = OneFieldProps & { readonly options: readonly Option[]; readonly value: readonly string[] };

function Choices({ field, options, value, problem, change }: ChoicesProps) {
  const toggle = (option: string) =>
    change(value.includes(option) ? value.filter((one) => one !== option) : [...value, option]);
  return (
    <fieldset class="wide">
      <legend>{field.title}</legend>
      <div class="checks">
        {options.map(({ value: option, label }) => (
          <Check key={option} label={label} checked={value.includes(option)} onChange={() => toggle(option)} />
        ))}
      </div>
      {problem !== undefined && <p class="problem">{problem}</p>}
      <small>{field.hint}</small>
    </fieldset>
  );
}
