import {
  type ComponentChildren,
  createContext,
  type PartialInputHTMLAttributes,
  type PartialSelectHTMLAttributes,
  type TargetedSubmitEvent,
} from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { askToLeave, close, Dialog, say } from './dialogs';
import { sentence } from './format';
import { type Action, useAction, type Violation, type Work, withoutMarked } from './load';
import { Button, Problem } from './parts';

/** What is wrong with a field of the form around it, by its name. */
const ProblemOf = createContext<Action['problem']>(() => undefined);

/** What a control needs so that its label, hint and problem belong to it. */
export type ControlProps = { id: string; 'aria-describedby': string; 'aria-invalid': boolean };

type Labelled = { readonly label: string; readonly hint?: ComponentChildren; readonly problem?: string | undefined };
type FieldProps = Labelled & {
  /** Under which violations name it. */
  readonly name?: string | undefined;
  readonly children: (control: ControlProps) => ComponentChildren;
};

export function Field({ label, hint, name = '', problem: own, children }: FieldProps) {
  const id = useId();
  const problem = useContext(ProblemOf)(name) ?? own;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-about`, 'aria-invalid': problem !== undefined })}
      <div id={`${id}-about`}>
        {problem !== undefined && <p class="problem">{sentence(problem)}</p>}
        {hint && <small>{hint}</small>}
      </div>
    </div>
  );
}

type InputFieldProps = Labelled &
  Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'role'> & { list?: string };

export function InputField({ label, hint, problem, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem} name={input.name as string | undefined}>
      {(control) => <input dir="auto" {...control} {...(input as object)} />}
    </Field>
  );
}

/** A field for a secret that the other side made, which browsers do not fill in. */
export function SecretField(props: InputFieldProps) {
  return <InputField name="secret" {...props} type="password" autocomplete="off" />;
}

/** What an input whose `list` is this id suggests. */
export function Suggestions({ id, of }: { id: string; of: readonly (string | number)[] }) {
  return (
    <datalist id={id}>
      {of.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}

type SelectFieldProps = Labelled &
  Omit<PartialSelectHTMLAttributes<HTMLSelectElement>, 'label' | 'role' | 'size'> & {
    /** Labels by value. */
    readonly options: Readonly<Record<string, string>>;
    readonly chosen?: string;
  };

export function SelectField({ label, hint, problem, options, chosen, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem} name={select.name as string | undefined}>
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

export type Fields = Readonly<Record<string, string>>;
type FormProps<T> = {
  /** On the button that submits it, and while it is being sent. */
  readonly text: string;
  readonly busyText?: string;
  /** Asks before it is sent. */
  readonly before?: (fields: Fields) => Promise<boolean>;
  /** Takes what the controls say, by their names; one that is disabled or not checked says nothing. */
  readonly work: (fields: Fields, form: HTMLFormElement) => ReturnType<Work<T>>;
  readonly done?: string | ((answer: T, fields: Fields) => string | undefined);
  readonly then?: (answer: T, form: HTMLFormElement) => unknown;
  /** Called with what it answered; undefined when it refused. */
  readonly answered?: (answer: T | undefined) => void;
  readonly typed?: () => void;
  /** A second button, without which there is none. */
  readonly closeText?: string;
  readonly children: ComponentChildren;
};

/** What was copied often has a space around it, which belongs to no value but the password of a person. */
function fieldsOf(controls: HTMLFormElement): Fields {
  const said = [...new FormData(controls)] as [string, string][];
  const isPassword = (name: string) =>
    /-password$/.test(controls.querySelector<HTMLInputElement>(`[name="${name}"]`)?.autocomplete ?? '');
  return Object.fromEntries(said.map(([name, value]) => [name, isPassword(name) ? value : value.trim()]));
}

/** Controls, the button that submits them, and why they were refused: beside the field that has the name of the path, else below. */
export function Form<T>({ text, busyText = text, closeText, children, ...form }: FormProps<T>) {
  const { busy, failure, run, problem } = useAction();
  const element = useRef<HTMLFormElement>(null);
  const isMarked = ({ path }: Violation) => {
    const control = element.current?.elements.namedItem(path);
    return control instanceof Element && control.hasAttribute('aria-invalid');
  };
  useEffect(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [failure]);
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const controls = event.currentTarget;
    const fields = fieldsOf(controls);
    if (form.before && !(await form.before(fields))) return;
    const answer = await run(() => form.work(fields, controls));
    form.answered?.(answer);
    if (answer === undefined) return;
    const text = typeof form.done === 'function' ? form.done(answer, fields) : form.done;
    if (text !== undefined) say(text);
    await form.then?.(answer, controls);
  };
  return (
    <form ref={element} class="form" autocomplete="off" onInput={form.typed} onSubmit={(event) => void onSubmit(event)}>
      <ProblemOf.Provider value={problem}>{children}</ProblemOf.Provider>
      <Problem failure={failure && withoutMarked(failure, isMarked)} />
      <p class="buttons">
        <button type="submit" class="main" disabled={busy}>
          {busy ? busyText : text}
        </button>
        {closeText && <Button text={closeText} act={close} />}
      </p>
    </form>
  );
}

type FormDialogProps<T> = FormProps<T> & {
  readonly title: string;
  /** Whether it stays open once it is done. */
  readonly stays?: boolean;
};

/** Escape asks once something was entered. */
export function FormDialog<T>({ title, stays = false, then, ...form }: FormDialogProps<T>) {
  const [typed, setTyped] = useState(false);
  const dismiss = async () => {
    if (!typed || (await askToLeave())) close();
  };
  const finish = (answer: T, controls: HTMLFormElement) => {
    setTyped(false);
    if (!stays) close();
    return then?.(answer, controls);
  };
  return (
    <Dialog title={title} dismiss={dismiss}>
      <Form closeText="Cancel" {...form} typed={() => setTyped(true)} then={finish} />
    </Dialog>
  );
}
