import * as z from 'zod';
import type { AuthMode, StoredCredentials } from './auth-mode.ts';
import { AUTH_MODES, modeNamed } from './index.ts';

export interface ImportedCredentials {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The schema of credentials that can be imported, in the API's form. Each variant has exactly the fields of its mode. */
export const importCredentials: z.ZodType<ImportedCredentials> = z.discriminatedUnion('type', variants());

type Variant = z.ZodObject<{ type: z.ZodLiteral<string> }>;

function variants(): [Variant, ...Variant[]] {
  const [first, ...others] = AUTH_MODES.flatMap(variantOf);
  if (first === undefined) throw new Error('no auth mode can be imported');
  return [first, ...others];
}

function variantOf({ name, imported }: AuthMode): Variant[] {
  return imported === undefined ? [] : [z.strictObject({ type: z.literal(name), ...imported.members.shape })];
}

/** Returns the stored form of imported credentials. If the mode has `prepare`, that must complete them before they are stored. */
export function storedFromImport({ type, ...members }: ImportedCredentials, at: Date): StoredCredentials {
  const { imported } = modeNamed(type);
  if (imported === undefined) throw new Error(`credentials of the type ${type} cannot be imported`);
  return { ...imported.store(members), receivedAt: at.toISOString() };
}
