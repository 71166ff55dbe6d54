import type { Environment } from '../environments/environment-store.ts';
import type { Permitted, Role, SignInStage } from './permissions.ts';

/** A person who is signed in to the dashboard. */
export interface MemberCaller {
  readonly kind: 'member';
  readonly memberId: number;
  readonly accountId: number;
  readonly sessionId: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly hasPassword: boolean;
  readonly hasFactor: boolean;
  readonly stage: SignInStage;
  /** Until when what needs a fresh confirmation is open. */
  readonly confirmedUntil: Date | null;
}

/** The same person where a route is called, with what that asks for. */
export interface AskedMember extends MemberCaller {
  readonly asked: Permitted;
}

/** The same person in an environment of the path: with the scopes that a key for the same would have. */
export interface ActingMember {
  readonly kind: 'environment';
  readonly member: AskedMember;
  readonly environment: Environment;
  readonly accountId: number;
  readonly environmentId: number;
  readonly isProduction: boolean;
  readonly scopes: readonly string[];
}
