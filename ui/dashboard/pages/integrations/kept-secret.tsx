import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { t } from './texts.ts';

interface KeptSecretProps {
  readonly label: string;
  readonly since?: string | undefined;
  /** What else can be done with it. */
  readonly also?: ComponentChildren;
  /** The field for another one. */
  readonly children: ComponentChildren;
}

/** A secret that is set: said to be, until somebody wants to replace it. */
export function KeptSecret({ label, since, also, children }: KeptSecretProps) {
  const [isReplaced, setReplaced] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isReplaced) field.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [isReplaced]);
  if (isReplaced) {
    return (
      <div ref={field} class="stack">
        {children}
      </div>
    );
  }
  return (
    <Field label={label}>
      {(attributes) => (
        <span {...attributes} class="line-up">
          <SecretSet since={since} />
          <button type="button" class="btn" aria-label={t('replace_what', { what: label })} onClick={() => setReplaced(true)}>
            {t('replace')}
          </button>
          {also}
        </span>
      )}
    </Field>
  );
}

/** Of one that is never shown. @param since undefined: that was not kept */
export function SecretSet({ since }: { readonly since?: string | undefined }) {
  return (
    <span>
      {t('secret_set')} {since !== undefined && <RelativeTime at={since} />}
    </span>
  );
}
