import type { ModeInput, StoredCredentials } from './auth-mode.ts';
import { withDefaultFields } from './building-blocks/default-fields.ts';
import { modeOf } from './index.ts';

/** Returns the values that the user entered, for a plugin that exchanges them; undefined if the mode does not support that. */
export function enteredForm(
  input: Pick<ModeInput, 'definition'>,
  stored: StoredCredentials,
): Readonly<Record<string, string>> | undefined {
  const entered = modeOf(stored).entered?.(stored);
  return entered && withDefaultFields(input, entered);
}
