import type { operations } from './api-types.ts';

type Responses<Id extends keyof operations> = operations[Id]['responses'];
type Successful<Id extends keyof operations> = Responses<Id>[keyof Responses<Id> & (200 | 201)];

/** The body of a successful response of an operation of the private interface, by the operation's ID. */
export type Reply<Id extends keyof operations> =
  Successful<Id> extends { content: { 'application/json': infer Body } } ? Readonly<Body> : never;

/** The signed-in member, with the environments and the facts about the service that every page needs. */
export type Me = Reply<'getMe'>['data'];
export type Role = Me['role'];
export type Environment = Me['environments'][number];

/** The body of a response that is not a list. */
export interface One<T> {
  readonly data: T;
}

export interface Many<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
  /** The number of rows on all pages; absent when the service does not count them. */
  readonly total?: number;
}

export const ME = 'api/ui/me';

/** The ways to sign in to this service, which can be read without a sign-in. */
export type Entry = Reply<'getSetup'>['data'];
export const ENTRY = 'api/ui/setup';

/** The path of a sign-in that awaits the second factor. */
export const SECOND_STEP = 'api/ui/login/factor';
/** The response to a sign-in by password: the member, or the request for a second factor. */
export type SignInReply = One<Me> | Reply<'getSecondStep'>;
