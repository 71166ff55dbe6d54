import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type KeyRing, KeyRingError, type Place } from '../kit/key-ring.ts';

/** How a connected account behaves later; its user chooses this on the authorization page. */
export const OUTCOMES = ['works', 'fails_exchange', 'refuses_renewal', 'is_slow'] as const;
export type ConsentOutcome = (typeof OUTCOMES)[number];

const common = {
  environmentId: z.int(),
  /** In seconds since 1970. */
  expiresAt: z.int(),
};
const grant = { grantId: z.uuid(), personId: z.string(), scope: z.string(), outcome: z.enum(OUTCOMES) };

const SHAPES = {
  /** An authorization request, kept in the form of the page while the page is open. */
  request: z.object({ ...common, state: z.string(), scope: z.string(), challenge: z.string(), coop: z.boolean() }),
  code: z.object({ ...common, ...grant, challenge: z.string() }),
  access: z.object({ ...common, ...grant, generation: z.int() }),
  refresh: z.object({ ...common, ...grant, generation: z.int() }),
} as const;

type Kind = keyof typeof SHAPES;
type Shape<K extends Kind> = z.output<(typeof SHAPES)[K]>;

/**
 * Returns a code or token that contains its data, encrypted by the key ring, so that every instance can read it and nothing needs
 * to be stored.
 */
export function seal<K extends Kind>(keys: KeyRing, kind: K, content: Shape<K>): string {
  return `sandbox_${kind}_${keys.encrypt(JSON.stringify(content), placeOf(kind)).toString('base64url')}`;
}

/** Decrypts a token. @returns undefined for anything but a token of this kind that has not expired */
export function unseal<K extends Kind>(
  { keys, now }: { readonly keys: KeyRing; readonly now: Date },
  kind: K,
  token: string | null | undefined,
): Shape<K> | undefined {
  const prefix = `sandbox_${kind}_`;
  if (!token?.startsWith(prefix)) return undefined;
  const content = decrypted(keys, Buffer.from(token.slice(prefix.length), 'base64url'), kind);
  const parsed = content === undefined ? undefined : SHAPES[kind].safeParse(JSON.parse(content)).data;
  return parsed !== undefined && parsed.expiresAt > now.getTime() / 1_000 ? (parsed as Shape<K>) : undefined;
}

function decrypted(keys: KeyRing, envelope: Buffer, kind: Kind): string | undefined {
  try {
    return keys.decrypt(envelope, placeOf(kind));
  } catch (error) {
    if (error instanceof KeyRingError) return undefined;
    throw error;
  }
}

/**
 * Returns what tokens of this kind are bound to when they are encrypted, in the form of a column. No such column exists, and each
 * kind has its own, so that a value of the database cannot be used as a token, nor a token as one of another kind.
 */
function placeOf(kind: Kind): Place {
  return { table: 'sandbox', column: kind, environmentId: 0, rowId: 0 };
}

/** Returns whether the verifier belongs to the challenge (RFC 7636 §4.6). */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  return createHash('sha256').update(verifier).digest('base64url') === challenge;
}
