import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { Icon } from './icon.tsx';
import type { FormState } from './use-form.ts';

interface FieldProps {
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly fault?: string | undefined;
  readonly isOptional?: boolean;
  /** Renders the control, which gets these attributes. */
  readonly children: (attributes: ControlAttributes) => ComponentChildren;
}

export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

/** One control with its label above, and its error and help below. */
export function Field({ label, help, fault, isOptional = false, children }: FieldProps) {
  const id = useId();
  const described = [help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class="label" for={id}>
        {label} {isOptional && <i>{t('optional')}</i>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': fault !== undefined })}
      {fault && (
        <p class="err" id={`${id}-fault`}>
          <Icon name="warn" />
          <span>{fault}</span>
        </p>
      )}
      {help && (
        <div class="help" id={`${id}-help`}>
          {help}
        </div>
      )}
    </div>
  );
}

interface TextFieldProps<N extends string> extends Omit<FieldProps, 'children' | 'fault'> {
  readonly form: FormState<Record<N, string>>;
  readonly name: N;
  readonly type?: 'text' | 'email' | 'numeric' | 'password';
  /** For password managers: `username`, `current-password`, `new-password`, `one-time-code`, `name`. Default: `off`. */
  readonly autocomplete?: string;
  readonly placeholder?: string;
  /** True for text in a fixed-width font: an ID, a URL. */
  readonly isCode?: boolean;
  /** The number of lines of a multi-line field; absent for a single line. */
  readonly rows?: number;
  /** ID of a `datalist` with suggested values. */
  readonly list?: string;
  readonly onLeave?: () => void;
}

/** A text field of a form, with one or several lines. */
export function TextField<N extends string>(props: TextFieldProps<N>) {
  const { form, name, type = 'text', autocomplete = 'off', placeholder, isCode = false, rows, list, onLeave, ...field } = props;
  return (
    <Field {...field} fault={form.faults[name]}>
      {(attributes) => {
        const shared = {
          ...attributes,
          class: isCode ? 'input mono' : 'input',
          name,
          autocomplete,
          autocapitalize: 'none',
          spellcheck: false,
          placeholder,
          readOnly: form.isSending,
          value: form.values[name],
          onBlur: onLeave,
          onInput: (event: { currentTarget: { value: string } }) => form.set(name, event.currentTarget.value),
        } as const;
        if (rows !== undefined) return <textarea {...shared} rows={rows} />;
        if (type === 'password') return <input {...shared} type="password" />;
        return <input {...shared} type="text" inputMode={type} list={list} />;
      }}
    </Field>
  );
}

interface SelectFieldProps<N extends string> extends Omit<FieldProps, 'children' | 'fault'> {
  readonly form: FormState<Record<N, string>>;
  readonly name: N;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

export function SelectField<N extends string>({ form, name, choices, ...field }: SelectFieldProps<N>) {
  return (
    <Field {...field} fault={form.faults[name]}>
      {(attributes) => (
        <select
          {...attributes}
          class="input"
          name={name}
          value={form.values[name]}
          onChange={(event) => form.set(name, event.currentTarget.value)}
        >
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckFieldProps<N extends string> {
  readonly form: FormState<Record<N, boolean>>;
  readonly name: N;
  readonly label: string;
  readonly help?: string;
}

export function CheckField<N extends string>({ form, name, label, help }: CheckFieldProps<N>) {
  return (
    <label class="check">
      <input type="checkbox" checked={form.values[name]} onChange={(event) => form.set(name, event.currentTarget.checked)} />
      <span>
        {label}
        {help && <span class="help">{help}</span>}
      </span>
    </label>
  );
}
