import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { Failure } from './failure.tsx';
import type { FormState } from './use-form.ts';

interface FormProps {
  // biome-ignore lint/suspicious/noExplicitAny: a form with any fields; the fields themselves are typed
  readonly form: FormState<any>;
  /** Texts by the error codes that the service may respond with. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Labels by field name, for fields whose error texts do not name their field. */
  readonly labels?: Readonly<Record<string, string>>;
  /** True for a form that is visible as a whole: errors are then shown only at the fields, without a summary above them. */
  readonly isShort?: boolean;
  readonly children: ComponentChildren;
}

/** A form. Errors are shown at each field, and several also in a summary above; the first faulty field gets the focus. */
export function Form({ form, texts, labels, isShort = false, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (form.attempts > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [form.attempts]);
  const submit = (event: Event) => {
    event.preventDefault();
    void form.submit();
  };
  const messages = Object.entries<string | undefined>(form.faults)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => [labels?.[name], text].filter(Boolean).join(': '));
  return (
    <form ref={element} class="stack" noValidate onSubmit={submit} aria-busy={form.isSending}>
      {form.error && <Failure error={form.error} {...(texts !== undefined && { texts })} />}
      {messages.length > 1 && !isShort && (
        <div class="note bad" role="alert">
          <div>
            <b>{t('summary')}</b>
            <ul class="plain">
              {messages.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {children}
    </form>
  );
}
