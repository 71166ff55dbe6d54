import { ServiceError } from '../../../core/errors.ts';
import type { Behaviour } from '../../support/scripted-server/behaviour.ts';

/** A response of the token endpoint that ends the authorization. */
export const REFUSAL: Behaviour = {
  response: { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":"invalid_grant"}' },
};
export const BROKEN: Behaviour = { response: { status: 500, body: 'oops' } };

/** Returns the error with which a caller was refused. @throws if the caller was not refused */
export async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof ServiceError)) throw new Error('it was not refused', { cause: outcome });
  return outcome;
}
