import type { ModeInput, StoredCredentials } from './auth-mode.ts';
import { withDefaultFields } from './building-blocks/default-fields.ts';
import { modeOf } from './index.ts';

/** What the user entered, as far as it is stored, for a plugin; undefined for modes that take nothing from one. */
export function enteredForm(
  input: Pick<ModeInput, 'definition'>,
  stored: StoredCredentials,
): Readonly<Record<string, string>> | undefined {
  const entered = modeOf(stored).entered?.(stored);
  return entered && withDefaultFields(input, entered);
}
