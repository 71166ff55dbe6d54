import { ServiceError } from '../../core/errors.ts';

/** Returns the ServiceError that work fails with. @throws when the work succeeds or fails with another error */
export async function serviceError(work: Promise<unknown>): Promise<ServiceError> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof ServiceError)) throw new Error('it did not fail as it should', { cause: outcome });
  return outcome;
}
