import { withDefaults } from '#contract';
import type { ModeInput } from '../auth-mode.ts';

type Texts = Readonly<Record<string, string>>;

/** Returns the values that the user entered, and the definition's defaults for the fields that were left out. */
export function withDefaultFields({ definition }: Pick<ModeInput, 'definition'>, entered: Texts): Texts {
  const values = Object.entries(withDefaults(definition.credentials, entered));
  return Object.fromEntries(values.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}
