import { useMemo, useRef } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import type { FormState } from '../../components/use-form.ts';
import { t } from './texts.ts';

const ROWS = 20;

interface SourceFieldProps {
  readonly form: FormState<{ readonly source: string; readonly language: string }>;
}

/** A text field for a source, with line numbers, since faults refer to them. */
export function SourceField({ form }: SourceFieldProps) {
  const { source } = form.values;
  const numbers = useRef<HTMLPreElement>(null);
  const lines = source.split('\n').length;
  const numbered = useMemo(() => Array.from({ length: lines }, (_, index) => index + 1).join('\n'), [lines]);
  return (
    <Field label={t('new_source')} help={t('new_help')} fault={form.faults.source}>
      {(attributes) => (
        <div class="numbered">
          <pre ref={numbers} aria-hidden="true">
            {numbered}
          </pre>
          <textarea
            {...attributes}
            class="input mono"
            name="source"
            rows={ROWS}
            wrap="off"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            readOnly={form.isSending}
            value={source}
            onInput={(event) => form.set('source', event.currentTarget.value)}
            onScroll={(event) => numbers.current?.scrollTo({ top: event.currentTarget.scrollTop })}
          />
        </div>
      )}
    </Field>
  );
}
