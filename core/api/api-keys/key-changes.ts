import { memberOf } from '../../server/access/caller.ts';
import type { ApiKey } from '../../tenants/api-keys/api-key-store.ts';
import { createKey } from '../../tenants/api-keys/api-keys.ts';
import type { KeyOwner } from '../../tenants/api-keys/rolled-key-store.ts';
import { revokeKeyOf, rollKey } from '../../tenants/api-keys/rolled-keys.ts';
import type { Scope } from '../../tenants/api-keys/scopes.ts';
import { type ChangeAuthor, recordedChange } from '../dashboard/recorded-change.ts';
import type { ApiServices } from '../services.ts';
import { keyRecord } from './key-schemas.ts';
import { futureTime } from './routes.ts';

interface WantedKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expires_at?: string | null | undefined;
}

/** Creates an environment key or an account key. @returns the response with its secret */
export async function makeKey(services: ApiServices, by: ChangeAuthor, owner: KeyOwner, wanted: WantedKey) {
  const scopes = [...new Set(wanted.scopes)];
  const expiresAt = wanted.expires_at ? futureTime(wanted.expires_at, services.clock.now()) : undefined;
  const key = await recordedChange(services, by, async (here, record) => {
    const made = await createKey(here, owner, { name: wanted.name, scopes, expiresAt, createdBy: memberOf(by.caller).name });
    await record({ ...aboutKey(owner, made), action: 'api_key.create', facts: { scopes } });
    return made;
  });
  return newKeyReply(key);
}

/**
 * Replaces an environment key or an account key.
 *
 * @param body says how long the old key stays valid
 * @returns the response with the new secret
 */
export async function replaceKey(
  services: ApiServices,
  by: ChangeAuthor,
  owner: KeyOwner,
  { id, body }: { readonly id: number; readonly body: { readonly overlap_seconds: number } },
) {
  const key = await recordedChange(services, by, async (here, record) => {
    const rolled = { id, overlapSeconds: body.overlap_seconds, now: services.clock.now(), createdBy: memberOf(by.caller).name };
    const made = await rollKey(here, owner, rolled);
    const facts = { scopes: made.scopes, replaces: id, ...body };
    await record({ ...aboutKey(owner, made), action: 'api_key.create', facts });
    return made;
  });
  return newKeyReply(key);
}

/** Revokes an environment key or an account key. */
export async function endKey(services: ApiServices, by: ChangeAuthor, owner: KeyOwner, id: number) {
  await recordedChange(services, by, async (here, record) => {
    const name = await revokeKeyOf(here, owner, id);
    await record({ ...aboutKey(owner, { id, name }), action: 'api_key.revoke' });
  });
  return { status: 204 };
}

function newKeyReply(key: ApiKey & { readonly secret: string }) {
  return { status: 201, body: { data: { ...keyRecord(key), secret: key.secret } } };
}

function aboutKey({ environmentId }: KeyOwner, { id, name }: Pick<ApiKey, 'id' | 'name'>) {
  return { environmentId: environmentId ?? undefined, subject: { type: 'api_key', id: String(id), name } } as const;
}
