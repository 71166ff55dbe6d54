import { useRef, useState } from 'preact/hooks';
import type { Field } from '../wire.ts';
import type { FieldTranslate } from './field-texts.ts';
import type { Fault, Values } from './form.ts';
import { readTextFile } from './text-file.ts';

const MAX_RADIOS = 4;

export interface FieldViewProps {
  readonly field: Field;
  readonly id: string;
  readonly values: Values;
  readonly fault: Fault | undefined;
  readonly isReadOnly: boolean;
  readonly onInput: (value: string) => void;
  readonly onLeave: () => void;
  readonly t: FieldTranslate;
}

export interface FieldInputProps extends FieldViewProps {
  readonly value: string;
  /** IDs of the elements that describe the input, separated by blanks. */
  readonly described: string;
  readonly onNote: (text: string) => void;
}

/** The control of a field: radio buttons, a select, a text area, or a line with its prefix and suffix. */
export function FieldInput(props: FieldInputProps) {
  if (props.field.enum !== undefined) return isGroup(props.field) ? <Radios {...props} /> : <Select {...props} />;
  return props.field.multiline ? <Lines {...props} /> : <Line {...props} />;
}

/**
 * Returns whether a field is shown as a group of radio buttons. An optional field never is, since a radio button cannot be
 * unselected.
 */
export function isGroup({ enum: options, optional }: Field): boolean {
  return options !== undefined && options.length <= MAX_RADIOS && !optional;
}

function attributesOf({ id, described, fault, isReadOnly, onLeave }: FieldInputProps) {
  return {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': fault !== undefined,
    readOnly: isReadOnly,
    onBlur: onLeave,
  };
}

/**
 * Attributes of all inputs. What people type here belongs to another service, so password managers must neither fill it in nor
 * save it.
 */
const UNTOUCHED = {
  autocomplete: 'off',
  autocapitalize: 'none',
  spellcheck: false,
  'data-1p-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
} as const;

function Line(props: FieldInputProps) {
  const { field, id, value, isReadOnly, onInput, t } = props;
  const [isShown, setShown] = useState(false);
  const { prefix, suffix, secret, example } = field;
  const shared = {
    class: 'input',
    ...attributesOf(props),
    ...UNTOUCHED,
    dir: secret || field.format !== undefined ? 'ltr' : 'auto',
    placeholder: example,
    value,
    onInput: (event: { currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
  } as const;
  const input = secret && !isShown ? <input {...shared} type="password" /> : <input {...shared} type="text" />;
  if (!secret && !prefix && !suffix) return input;
  return (
    <div class="affix">
      {prefix && <span aria-hidden="true">{prefix}</span>}
      {input}
      {suffix && <span aria-hidden="true">{suffix}</span>}
      {secret && (
        <button type="button" aria-pressed={isShown} disabled={isReadOnly} onClick={() => setShown(!isShown)}>
          <span aria-hidden="true">{t(isShown ? 'hide' : 'show')}</span>
          <span class="sr">{t('show_value', { title: field.title })}</span>
        </button>
      )}
      {(prefix || suffix) && (
        <span class="sr" id={`${id}-affix`}>
          {`${prefix ?? ''}…${suffix ?? ''}`}
        </span>
      )}
    </div>
  );
}

function Lines(props: FieldInputProps) {
  const { field, value, isReadOnly, onInput, onNote, t } = props;
  const file = useRef<HTMLInputElement>(null);
  const load = async (input: HTMLInputElement) => {
    const [chosen] = input.files ?? [];
    input.value = '';
    if (chosen === undefined) return;
    const { text, fault } = await readTextFile(chosen);
    if (fault !== undefined) onNote(t(fault));
    else onInput(text);
  };
  return (
    <>
      <textarea
        class="input"
        {...attributesOf(props)}
        {...UNTOUCHED}
        rows={6}
        dir="ltr"
        placeholder={field.example}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <input
        ref={file}
        type="file"
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => void load(event.currentTarget)}
      />
      <button type="button" class="file" disabled={isReadOnly} onClick={() => file.current?.click()}>
        {t('load_file')}
      </button>
    </>
  );
}

function Select(props: FieldInputProps) {
  const { field, value, isReadOnly, onInput, t } = props;
  const { readOnly, ...attributes } = attributesOf(props);
  return (
    <select
      class="input"
      {...attributes}
      aria-disabled={readOnly}
      disabled={isReadOnly}
      value={value}
      onChange={(event) => onInput(event.currentTarget.value)}
    >
      {(value === '' || field.optional) && <option value="">{t('choose')}</option>}
      {field.enum?.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

function Radios(props: FieldInputProps) {
  const { field, id, value, described, isReadOnly, fault, onInput, onLeave } = props;
  return (
    <>
      {field.enum?.map((option, index) => (
        <label class="radio" key={option}>
          <input
            type="radio"
            id={index === 0 ? id : undefined}
            name={id}
            checked={value === option}
            disabled={isReadOnly}
            aria-describedby={described || undefined}
            aria-invalid={fault !== undefined}
            onChange={() => onInput(option)}
            onBlur={onLeave}
          />
          <span>{option}</span>
        </label>
      ))}
    </>
  );
}
