import type { ComponentChildren, PartialInputHTMLAttributes, PartialSelectHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import type { Action } from './load';
import { Button, Problem } from './parts';

type Labelled = {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
};
type FieldProps = Labelled & {
  readonly children: (control: {
    id: string;
    'aria-describedby': string;
    'aria-invalid': boolean;
  }) => ComponentChildren;
};

/** A control with its label, a hint and what is wrong with it. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-about`, 'aria-invalid': problem !== undefined })}
      <div id={`${id}-about`}>
        {problem !== undefined && <p class="problem">{problem}</p>}
        {hint && <small>{hint}</small>}
      </div>
    </div>
  );
}

type InputFieldProps = Labelled &
  Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'role'> & { list?: string };

/** A field whose control is an input. */
export function InputField({ label, hint, problem, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => <input {...control} {...(input as object)} />}
    </Field>
  );
}

type OptionsProps = { readonly options: Readonly<Record<string, string>>; readonly chosen?: string };

/** The options of a select: labels by value. */
export function Options({ options, chosen }: OptionsProps) {
  return (
    <>
      {Object.entries(options).map(([value, label]) => (
        <option key={value} value={value} selected={chosen === undefined ? undefined : value === chosen}>
          {label}
        </option>
      ))}
    </>
  );
}

type SelectFieldProps = Labelled &
  OptionsProps &
  Omit<PartialSelectHTMLAttributes<HTMLSelectElement>, 'label' | 'role' | 'size'>;

/** A field whose control is a select. */
export function SelectField({ label, hint, problem, options, chosen, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <select {...control} {...select}>
          <Options options={options} {...(chosen !== undefined && { chosen })} />
        </select>
      )}
    </Field>
  );
}

type FormProps = {
  /** On the button that submits it. */
  readonly text: string;
  readonly action: Pick<Action, 'busy' | 'failure'>;
  readonly submit: (form: FormData, element: HTMLFormElement) => unknown;
  /** A second button, without which there is none. */
  readonly close?: () => void;
  readonly closeText?: string;
  /** Violations stand beside the fields, and are not said again. */
  readonly besides?: boolean;
  readonly children: ComponentChildren;
};

/** Controls, why they were refused, and the button that submits them. */
export function Form({ text, action, submit, close, closeText = 'Cancel', besides = false, children }: FormProps) {
  const { busy, failure } = action;
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const element = event.currentTarget as HTMLFormElement;
    void submit(new FormData(element), element);
  };
  return (
    <form class="form" onSubmit={onSubmit}>
      {children}
      <Problem failure={besides && failure ? { ...failure, violations: [] } : failure} />
      <p class="buttons">
        <button type="submit" class="main" disabled={busy}>
          {text}
        </button>
        {close && <Button text={closeText} act={close} />}
      </p>
    </form>
  );
}
