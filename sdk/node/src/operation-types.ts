import type { operations } from './generated.ts';

/** The ID of an API operation. */
export type OperationId = keyof operations;

type Member<Whole, Name extends PropertyKey> = Whole extends { readonly [K in Name]?: infer Part } ? Part : unknown;
type Json<Whole> = Member<Member<NonNullable<Whole>, 'content'>, 'application/json'>;
type Success<Responses> = Responses extends { 200: infer Response }
  ? Response
  : Responses extends { 201: infer Response }
    ? Response
    : never;
type SuccessOf<O extends OperationId> = Success<operations[O]['responses']>;

/** Query parameters of an operation. */
export type Query<O extends OperationId> = NonNullable<operations[O]['parameters']['query']>;

/** Request body of an operation. */
export type Body<O extends OperationId> = Json<Member<operations[O], 'requestBody'>>;

/** Response body on success; `undefined` if there is none. */
export type ResponseBody<O extends OperationId> = [SuccessOf<O>] extends [never] ? undefined : Json<SuccessOf<O>>;
