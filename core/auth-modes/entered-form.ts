import type { ModeInput, StoredCredentials } from './auth-mode.ts';
import { withDefaultFields } from './building-blocks/default-fields.ts';
import { modeOf } from './index.ts';

/**
 * Returns the entered values that are stored, for a plugin; undefined for modes whose entered credentials a plugin cannot exchange.
 */
export function enteredForm(
  input: Pick<ModeInput, 'definition'>,
  stored: StoredCredentials,
): Readonly<Record<string, string>> | undefined {
  const entered = modeOf(stored).entered?.(stored);
  return entered && withDefaultFields(input, entered);
}
