import type { operations } from './api-types.ts';

type Responses<Id extends keyof operations> = operations[Id]['responses'];
type Successful<Id extends keyof operations> = Responses<Id>[keyof Responses<Id> & (200 | 201)];

/** What an operation of the private interface responds with, by its ID. */
export type Reply<Id extends keyof operations> =
  Successful<Id> extends { content: { 'application/json': infer Body } } ? Readonly<Body> : never;

/** What every page of the dashboard is told about who has signed in, and where. */
export type Me = Reply<'getMe'>['data'];
export type Role = Me['role'];
export type Environment = Me['environments'][number];

/** Every body that is not a list. */
export interface One<T> {
  readonly data: T;
}

export interface Many<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
  /** Where it is counted. */
  readonly total?: number;
}

export const ME = 'api/ui/me';

/** How to sign in here, which everybody may know. */
export type Entry = Reply<'getSetup'>['data'];
export const ENTRY = 'api/ui/setup';

/** Of a sign-in that awaits the second factor. */
export const SECOND_STEP = 'api/ui/login/factor';
/** What a sign-in by password comes to. */
export type SignInReply = One<Me> | Reply<'getSecondStep'>;
