import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { t } from './texts.ts';

interface KeptSecretProps {
  readonly label: string;
  readonly since?: string | undefined;
  /** Additional buttons for the secret. */
  readonly also?: ComponentChildren;
  /** The field for a new secret. */
  readonly children: ComponentChildren;
}

/** Says that a secret is set; a button shows the field that replaces it. */
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

/** Says that a secret is set, without showing it. @param since when it was set; undefined when that was not recorded */
export function SecretSet({ since }: { readonly since?: string | undefined }) {
  return (
    <span>
      {t('secret_set')} {since !== undefined && <RelativeTime at={since} />}
    </span>
  );
}
