import { useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { Field } from './field.tsx';
import { readJsonObject } from './json-object.ts';

const ROWS = 12;

interface JsonEditorProps {
  readonly label: string;
  readonly help?: string;
  readonly text: string;
  /** The service's error message about the value. */
  readonly fault?: string | undefined;
  /** True when the text may be empty. */
  readonly isOptional?: boolean;
  readonly rows?: number;
  readonly onChange: (text: string) => void;
}

/** A text field for a JSON object. Errors are shown when the user leaves the field. */
export function JsonEditor({ label, help, text, fault, isOptional = false, rows = ROWS, onChange }: JsonEditorProps) {
  const [hasLeft, setLeft] = useState(false);
  const isEmpty = isOptional && text.trim() === '';
  const read = readJsonObject(text);
  const typed = hasLeft && !isEmpty ? jsonFault(text) : undefined;
  return (
    <div class="stack tight">
      <Field label={label} {...(help !== undefined && { help })} fault={fault ?? typed} isOptional={isOptional}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="input mono"
            rows={rows}
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => onChange(event.currentTarget.value)}
            onBlur={() => setLeft(true)}
          />
        )}
      </Field>
      {'value' in read && (
        <div>
          <button type="button" class="btn" onClick={() => onChange(JSON.stringify(read.value, null, 2))}>
            {t('json_format')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Describes why a text is not a JSON object; undefined when it is one. */
export function jsonFault(text: string): string | undefined {
  const read = readJsonObject(text);
  return 'fault' in read ? t(read.fault, 'message' in read ? { message: read.message } : {}) : undefined;
}
