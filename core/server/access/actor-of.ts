import { type Actor, SYSTEM } from '../../journal/operation-log/actor.ts';
import type { MemberCaller } from '../../tenants/members/caller.ts';
import type { Caller } from './caller.ts';

/**
 * Returns a caller's name for the operation log. Requests without a credential come from providers and browsers, which have none.
 */
export function actorOf(caller: Caller): Actor {
  if ('member' in caller) return memberActor(caller.member);
  switch (caller.kind) {
    case 'environment':
    case 'account':
      return { kind: 'api_key', id: String(caller.keyId), name: caller.name };
    case 'member':
      return memberActor(caller);
    case 'session':
      return { kind: 'session', id: String(caller.session.id) };
    case 'public_key':
      return { kind: 'session' };
    case 'anyone':
      return SYSTEM;
  }
}

function memberActor({ memberId, name }: MemberCaller): Actor {
  return { kind: 'member', id: String(memberId), name };
}
