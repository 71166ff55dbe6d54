import { useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { httpsOnly } from '../link.ts';
import { FieldInput, type FieldViewProps, isGroup } from './field-input.tsx';
import { textOfFault, textOfHint } from './field-texts.ts';
import { keyOf } from './form.ts';
import { isUnusual } from './form-rules.ts';
import { tidy } from './tidy.ts';

/** One labelled input, with the notes about it. */
export function FieldView(props: FieldViewProps) {
  const { field, id, values, fault, onInput, onLeave, t } = props;
  const [note, setNote] = useState('');
  const [hasLeft, setLeft] = useState(false);
  const value = values[keyOf(field.path)] ?? '';
  const warning = field.warnings?.[value];
  const isOdd = !fault && hasLeft && isUnusual(field, values);
  const leave = () => {
    const tidied = tidy(field, value);
    if (tidied.value !== value) onInput(tidied.value);
    if (tidied.kept !== undefined) setNote(t('kept_host', { value: tidied.kept }));
    setLeft(true);
    onLeave();
  };
  const input = (text: string) => {
    setNote('');
    onInput(text);
  };
  const hasGroup = isGroup(field);
  const Wrap = hasGroup ? 'fieldset' : 'div';
  const label = (
    <>
      <span dir="auto">{field.title}</span> {field.optional && <i>{t('optional')}</i>}
    </>
  );
  const described = [
    field.prefix || field.suffix ? `${id}-affix` : '',
    field.description ? `${id}-help` : '',
    fault ? `${id}-fault` : '',
    isOdd ? `${id}-hint` : '',
    warning ? `${id}-warning` : '',
  ];
  return (
    <Wrap class="field">
      {hasGroup ? (
        <legend class="label">{label}</legend>
      ) : (
        <label class="label" for={id}>
          {label}
        </label>
      )}
      <FieldInput
        {...props}
        value={value}
        described={described.filter(Boolean).join(' ')}
        onInput={input}
        onLeave={leave}
        onNote={setNote}
      />
      <Notes {...props} note={note} isOdd={isOdd} />
    </Wrap>
  );
}

interface NotesProps extends FieldViewProps {
  readonly note: string;
  /** True if the user has left the field with a value that is allowed, but looks unusual. */
  readonly isOdd: boolean;
}

/** The notes below an input: what is wrong, what looks unusual, what it is for. */
function Notes({ field, id, values, fault, note, isOdd, t }: NotesProps) {
  const help = httpsOnly(field.help_url);
  const warning = field.warnings?.[values[keyOf(field.path)] ?? ''];
  return (
    <>
      {fault && (
        <p class="err" id={`${id}-fault`}>
          <Icon name="warn" />
          <span>{textOfFault(field, fault, t)}</span>
        </p>
      )}
      {isOdd && (
        <p class="err hint" id={`${id}-hint`}>
          {textOfHint(field, t)}
        </p>
      )}
      {warning && (
        <p class="err hint" id={`${id}-warning`}>
          {warning}
        </p>
      )}
      <p class="kept" role="status" hidden={note === ''}>
        {note}
      </p>
      {field.description && (
        <p class="help" id={`${id}-help`}>
          {field.description}
        </p>
      )}
      {help && (
        <p class="help">
          <a href={help} target="_blank" rel="noopener noreferrer">
            {t('field_help')}
            <span class="sr">
              {' '}
              {field.title}, {t('opens_new_tab')}
            </span>
          </a>
        </p>
      )}
    </>
  );
}
