import type { operations } from './generated.ts';

/** Names an operation of the interface. */
export type OperationId = keyof operations;

type Member<Whole, Name extends PropertyKey> = Whole extends { readonly [K in Name]?: infer Part } ? Part : unknown;
type Json<Whole> = Member<Member<NonNullable<Whole>, 'content'>, 'application/json'>;
type Answers<O extends OperationId> = operations[O]['responses'];
type Success<Responses> = Responses extends { 200: infer Answer }
  ? Answer
  : Responses extends { 201: infer Answer }
    ? Answer
    : never;

/** What an operation takes in its query. */
export type Query<O extends OperationId> = NonNullable<operations[O]['parameters']['query']>;

/** What an operation takes as its body. */
export type Body<O extends OperationId> = Json<Member<operations[O], 'requestBody'>>;

/** What an operation answers on success; `undefined` where that has no body. */
export type Answer<O extends OperationId> = [Success<Answers<O>>] extends [never] ? undefined : Json<Success<Answers<O>>>;
