import type { AuditActor, AuditContext } from '../journal/audit-trail/entry.ts';
import type { Caller } from '../server/access/caller.ts';
import type { MemberCaller } from '../tenants/members/caller.ts';

type RecordedCaller = Extract<Caller, { readonly kind: 'environment' | 'account' }> | MemberCaller;

/**
 * Returns the member or API key that the audit trail names as the author of a request. Routes that change something admit no
 * other kinds of callers.
 */
export function auditContext({
  caller,
  address,
}: {
  readonly caller: Caller | MemberCaller;
  readonly address: string;
}): AuditContext {
  if (!isRecorded(caller)) throw new Error(`a caller of kind ${caller.kind} cannot be the author of an audit entry`);
  const { accountId } = caller;
  const environment = caller.kind === 'environment' ? { environmentId: caller.environmentId } : {};
  return { source: { actor: actorOf(caller), address }, accountId, ...environment };
}

function isRecorded(caller: Caller | MemberCaller): caller is RecordedCaller {
  return caller.kind === 'environment' || caller.kind === 'account' || caller.kind === 'member';
}

function actorOf(caller: RecordedCaller): AuditActor {
  const member = caller.kind === 'member' ? caller : 'member' in caller ? caller.member : undefined;
  if (member !== undefined) return { kind: 'member', id: String(member.memberId), name: member.email };
  if (!('keyId' in caller)) throw new Error('this caller has neither a member nor a key');
  return { kind: 'api_key', id: String(caller.keyId), name: caller.name };
}

/**
 * Returns the names of a body's fields, never their values. An object such as `credentials` is represented by the names of its
 * fields, as in `credentials.type`.
 */
export function namesOf(body: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [name];
    return Object.keys(value).map((member) => `${name}.${member}`);
  });
}
