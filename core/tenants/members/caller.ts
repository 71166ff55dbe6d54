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
  /** The end of the current confirmation's validity; null when there is none. */
  readonly confirmedUntil: Date | null;
}

/** A signed-in member who calls a route, with the permission that the route requires. */
export interface AskedMember extends MemberCaller {
  readonly asked: Permitted;
}

/** A signed-in member in the environment of the path, with the scopes that an API key would need to do what the member may do. */
export interface ActingMember {
  readonly kind: 'environment';
  readonly member: AskedMember;
  readonly environment: Environment;
  readonly accountId: number;
  readonly environmentId: number;
  readonly isProduction: boolean;
  readonly scopes: readonly string[];
}
