import { ServiceError } from '../../core/errors.ts';

/** What work fails with. */
export async function serviceError(work: Promise<unknown>): Promise<ServiceError> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof ServiceError)) throw new Error('it did not fail as it should', { cause: outcome });
  return outcome;
}
