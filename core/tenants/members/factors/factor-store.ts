import type { Knex } from 'knex';
import { nextId } from '../../../db/next-id.ts';
import type { KeyRing, Place } from '../../../kit/key-ring.ts';
import type { MemberFactorRow } from '../member-rows.ts';

/**
 * Binds the encrypted secret to its member, so that somebody who can write to the database cannot move a factor to another
 * member.
 */
export function factorPlace({ id, memberId }: { readonly id: number; readonly memberId: number }): Place {
  return { table: 'member_factors', column: 'secret', environmentId: 0, rowId: id, boundTo: `member ${memberId}` };
}

/** Returns the factors of a member, the oldest first. */
export async function factorsOf(db: Knex, memberId: number): Promise<MemberFactorRow[]> {
  return db<MemberFactorRow>('member_factors').where({ member_id: memberId }).orderBy('id');
}

/**
 * Locks and returns the factors of a member. Until the transaction ends, nobody else can change them, use a recovery code or open
 * a session of the member.
 */
export async function lockFactors(trx: Knex.Transaction, memberId: number): Promise<MemberFactorRow[]> {
  await trx('members').where({ id: memberId }).forUpdate().first('id');
  return factorsOf(trx, memberId);
}

export interface NewFactor extends Pick<MemberFactorRow, 'kind' | 'name'> {
  readonly memberId: number;
  readonly secret: string;
  readonly counter?: number;
  readonly now: Date;
}

export async function insertFactor(
  trx: Knex.Transaction,
  keys: KeyRing,
  { memberId, kind, name, secret, counter = 0, now }: NewFactor,
): Promise<void> {
  const id = await nextId(trx, 'member_factors');
  await trx<MemberFactorRow>('member_factors').insert({
    id,
    member_id: memberId,
    kind,
    name,
    secret: keys.encrypt(secret, factorPlace({ id, memberId })),
    counter,
    created_at: now,
    last_used_at: null,
  });
}

export async function updateFactor(
  trx: Knex.Transaction,
  id: number,
  changes: Partial<Pick<MemberFactorRow, 'counter' | 'secret' | 'last_used_at'>>,
): Promise<void> {
  await trx('member_factors').where({ id }).update(changes);
}

export async function deleteFactors(
  trx: Knex.Transaction,
  which: { readonly member_id: number; readonly id?: number; readonly kind?: MemberFactorRow['kind'] },
): Promise<void> {
  await trx('member_factors').where(which).delete();
}
