import type { operations } from './generated.ts';

/** The key of an API operation. */
export type OperationId = keyof operations;

type Member<Whole, Name extends PropertyKey> = Whole extends { readonly [K in Name]?: infer Part } ? Part : unknown;
type Json<Whole> = Member<Member<NonNullable<Whole>, 'content'>, 'application/json'>;
type Answers<O extends OperationId> = operations[O]['responses'];
type Success<Responses> = Responses extends { 200: infer Answer }
  ? Answer
  : Responses extends { 201: infer Answer }
    ? Answer
    : never;

/** Query parameters of an operation. */
export type Query<O extends OperationId> = NonNullable<operations[O]['parameters']['query']>;

/** Request body of an operation. */
export type Body<O extends OperationId> = Json<Member<operations[O], 'requestBody'>>;

/** Response body on success; `undefined` if there is none. */
export type Answer<O extends OperationId> = [Success<Answers<O>>] extends [never] ? undefined : Json<Success<Answers<O>>>;
