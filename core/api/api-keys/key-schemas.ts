import * as z from 'zod';
import type { ApiKey } from '../../tenants/api-keys/api-key-store.ts';
import { API_KEY, LISTED_API_KEY } from '../examples.ts';
import { dateTime, isPlain } from '../schemas.ts';

const KEY_RECORD = z.strictObject({
  id: z.int(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: dateTime,
  last_used_at: dateTime.nullable().describe('lags by a few seconds; null: never used'),
  expires_at: dateTime.nullable().describe('null: the key does not expire'),
  last4: z.string().describe('last characters of the secret'),
  created_by: z.string().nullable().describe('name of the creator at the time of creation; null: unknown'),
});
const KEY = { ...LISTED_API_KEY, last4: '7f3a', created_by: 'Ada Lovelace' };

export const keyName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine(...isPlain);

const HOUR_SECONDS = 60 * 60;
/** The periods, in seconds, for which a replaced key can stay valid: none, an hour, a day or a week. */
const OVERLAPS = [0, HOUR_SECONDS, 24 * HOUR_SECONDS, 7 * 24 * HOUR_SECONDS] as const;

export const rolling = z.strictObject({ overlap_seconds: z.union(OVERLAPS.map((seconds) => z.literal(seconds))) });
export const ROLLING = { overlap_seconds: HOUR_SECONDS } as const;

export const newKey = {
  description: 'The key. This is the only response with its secret.',
  schema: z.strictObject({ data: KEY_RECORD.extend({ secret: z.string() }) }),
  example: { data: { ...KEY, secret: API_KEY.secret } },
};

export const keyList = {
  description: 'All keys that are not revoked, oldest first; expired keys are included.',
  schema: z.strictObject({ data: z.array(KEY_RECORD) }),
  example: { data: [KEY] },
};

/** The description of the response to a revocation. */
export const REVOKED =
  'The key is revoked. Every instance refuses it within two seconds; one that has lost the database may accept it for up to ' +
  'five minutes.';

export function keyRecord(key: ApiKey) {
  const { id, name, scopes, createdAt, lastUsedAt, expiresAt, last4, createdBy } = key;
  const times = { created_at: createdAt, last_used_at: lastUsedAt, expires_at: expiresAt };
  return { id, name, scopes, ...times, last4, created_by: createdBy };
}
