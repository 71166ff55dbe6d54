import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Field } from '../wire.ts';
import './fields.css';
import { type FieldTranslate, textOfFault } from './field-texts.ts';
import { FieldView } from './field-view.tsx';
import { type Fault, type Faults, isVisible, keyOf, type Values } from './form.ts';
import { faultIn } from './form-rules.ts';

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly values: Values;
  /** Faults that were found when the form was submitted; each disappears when its field is changed. */
  readonly faults: Faults;
  /** Number of submissions that found faults. */
  readonly attempts: number;
  readonly isReadOnly: boolean;
  readonly onInput: (key: string, value: string) => void;
  readonly t: FieldTranslate;
}

/**
 * A generated form. It reports nothing while a value is typed for the first time: a fault appears when the user leaves a changed
 * field, and all faults appear when the form is submitted. The focus then moves to the first faulty field.
 */
export function Fields({ fields, values, faults, attempts, isReadOnly, onInput, t }: FieldsProps) {
  const prefix = useId();
  const root = useRef<HTMLDivElement>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState<{ readonly faults: Faults; readonly values: Values }>({ faults, values });
  const idOf = (field: Field) => `${prefix}-${keyOf(field.path).replace(/\W/g, '-')}`;
  const shownFault = (field: Field) => {
    const key = keyOf(field.path);
    const found = sent.faults[key];
    if (found !== undefined && values[key] === sent.values[key]) return found;
    return left.has(key) || found !== undefined ? faultIn(field, values) : undefined;
  };
  // Moves the focus after every submission, even one with the same faults. A layout effect, since moving it later could redirect
  // keys that the user types.
  useLayoutEffect(() => {
    setSent({ faults, values });
    // Without faults of fields, the credentials were refused as a whole: usually, the secret is wrong.
    const isWrong = (field: Field) => (Object.keys(faults).length === 0 ? field.secret : keyOf(field.path) in faults);
    if (attempts > 0) focusFirst(root.current, fields.filter(isWrong).map(idOf));
  }, [attempts, faults]);
  const visible = fields.filter((field) => isVisible(field, values));
  const wrong = visible.flatMap((field) => {
    const fault = shownFault(field);
    return fault === undefined ? [] : [[field, fault] as const];
  });
  return (
    <div ref={root}>
      {attempts > 0 && wrong.length > 1 && <Summary wrong={wrong} idOf={idOf} root={root.current} t={t} />}
      <div class="stack">
        {visible.map((field) => {
          const key = keyOf(field.path);
          return (
            <FieldView
              key={key}
              field={field}
              id={idOf(field)}
              values={values}
              fault={shownFault(field)}
              isReadOnly={isReadOnly}
              onInput={(value) => onInput(key, value)}
              onLeave={() => values[key] !== '' && setLeft((before) => new Set([...before, key]))}
              t={t}
            />
          );
        })}
      </div>
    </div>
  );
}

interface SummaryProps extends Pick<FieldsProps, 't'> {
  readonly wrong: readonly (readonly [Field, Fault])[];
  readonly idOf: (field: Field) => string;
  readonly root: HTMLElement | null;
}

function Summary({ wrong, idOf, root, t }: SummaryProps) {
  return (
    <div class="note bad" role="alert">
      <div>
        {t('summary')}
        <ul>
          {wrong.map(([field, fault]) => (
            <li key={keyOf(field.path)}>
              <a href={`#${idOf(field)}`} onClick={(event) => jump(event, root, idOf(field))}>
                {textOfFault(field, fault, t)}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Moves the focus to a field without changing the URL's fragment, which is used for connect links. */
function jump(event: Event, root: HTMLElement | null, id: string): void {
  event.preventDefault();
  focusFirst(root, [id]);
}

function focusFirst(root: HTMLElement | null, ids: readonly string[]): void {
  const [id] = ids;
  const element = id === undefined ? null : root?.querySelector<HTMLElement>(`[id="${id}"]`);
  element?.focus({ preventScroll: true });
  // Scrolled to the middle: at the edge of a small screen, the form's button would cover the field.
  element?.scrollIntoView({ block: 'center' });
}
