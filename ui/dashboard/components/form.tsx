import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { Failure } from './failure.tsx';
import type { FormState } from './use-form.ts';

interface FormProps {
  // biome-ignore lint/suspicious/noExplicitAny: the form of any fields; the fields themselves are typed
  readonly form: FormState<any>;
  /** Words for the codes that the service may answer with. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Of fields whose faults do not say which field they are of. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Seen as a whole: what is wrong is said at the fields alone. */
  readonly isShort?: boolean;
  readonly children: ComponentChildren;
}

/** Fields and a button. What is wrong is said above, in one place, and at each field; focus goes to the first of them. */
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
