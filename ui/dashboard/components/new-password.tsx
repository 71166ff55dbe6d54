import { t } from '../app/texts/en.ts';
import { TextField } from './field.tsx';
import type { FormState } from './use-form.ts';

const MIN_LENGTH = 12;
const STRONG_LENGTH = 20;
const MAX_LENGTH = 128;

/** Checks only the length of a password: length is what makes it hard to guess. */
export function passwordFault(password: string): { readonly password?: string } {
  const { length } = [...password];
  if (length < MIN_LENGTH) return { password: t('password_short') };
  return length > MAX_LENGTH ? { password: t('password_long') } : {};
}

interface NewPasswordFieldProps {
  readonly form: FormState<{ password: string }>;
  readonly label: string;
}

export function NewPasswordField({ form, label }: NewPasswordFieldProps) {
  return (
    <TextField
      form={form}
      name="password"
      label={label}
      type="password"
      autocomplete="new-password"
      help={<Strength password={form.values.password} />}
    />
  );
}

function Strength({ password }: { readonly password: string }) {
  const { length } = [...password];
  const strength = length < MIN_LENGTH ? 'weak' : length < STRONG_LENGTH ? 'fine' : 'strong';
  return (
    <>
      <meter
        class={strength}
        min={0}
        max={STRONG_LENGTH}
        value={Math.min(length, STRONG_LENGTH)}
        aria-label={t('password_strength')}
      />
      <span aria-live="polite">{length === 0 ? t('password_help') : t(`strength_${strength}`, { count: length })}</span>
    </>
  );
}
