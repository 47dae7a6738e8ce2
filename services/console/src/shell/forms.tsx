import type { ComponentChildren, PartialInputHTMLAttributes, PartialSelectHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { Dialog } from './dialogs';
import type { Action } from './load';
import { Button, Problem } from './parts';

/** What a control needs so that its label, hint and problem belong to it. */
export type ControlProps = { id: string; 'aria-describedby': string; 'aria-invalid': boolean };

type Labelled = {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
};
type FieldProps = Labelled & { readonly children: (control: ControlProps) => ComponentChildren };

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
      {(control) => <input dir="auto" {...control} {...(input as object)} />}
    </Field>
  );
}

type SelectFieldProps = Labelled &
  Omit<PartialSelectHTMLAttributes<HTMLSelectElement>, 'label' | 'role' | 'size'> & {
    /** Labels by value. */
    readonly options: Readonly<Record<string, string>>;
    readonly chosen?: string;
  };

/** A field whose control is a select. */
export function SelectField({ label, hint, problem, options, chosen, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <select {...control} {...select}>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value} selected={chosen === undefined ? undefined : value === chosen}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckProps = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'role'> & { readonly label: ComponentChildren };

/** A checkbox, or a radio button, with its label behind it. */
export function Check({ label, ...input }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" {...(input as object)} />
      {label}
    </label>
  );
}

type Fields = Readonly<Record<string, string>>;
type FormProps = {
  /** On the button that submits it. */
  readonly text: string;
  readonly action: Pick<Action, 'busy' | 'failure'>;
  /** Takes what the controls say, by their names; one that is disabled or not checked says nothing. */
  readonly submit: (fields: Fields, form: HTMLFormElement) => unknown;
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
    const form = event.currentTarget as HTMLFormElement;
    void submit(Object.fromEntries(new FormData(form)) as Fields, form);
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

/** A form in a dialog of its own. */
export function FormDialog({ title, ...form }: FormProps & { readonly title: string; readonly close: () => void }) {
  return (
    <Dialog title={title} close={form.close}>
      <Form {...form} />
    </Dialog>
  );
}
