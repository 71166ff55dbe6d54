import { useState } from 'preact/hooks';
import { readJsonObject } from '../core/json-object.ts';
import { t } from '../texts/en.ts';
import { Field } from './field.tsx';

const ROWS = 12;

interface JsonEditorProps {
  readonly label: string;
  readonly help?: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** A JSON object as text. What is wrong with it is said when the field is left. */
export function JsonEditor({ label, help, text, onChange }: JsonEditorProps) {
  const [hasLeft, setLeft] = useState(false);
  const read = readJsonObject(text);
  const fault = 'fault' in read ? t(read.fault, 'message' in read ? { message: read.message } : {}) : undefined;
  return (
    <div class="stack tight">
      <Field label={label} {...(help !== undefined && { help })} fault={hasLeft ? fault : undefined}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="input mono"
            rows={ROWS}
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
