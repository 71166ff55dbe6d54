import { errorCode } from '../kit/error-code.ts';

/** Postgres documentation, appendix A. */
const FOREIGN_KEY_VIOLATION = '23503';

/** Whether a row could not be written because one that it refers to is gone. */
export function isMissingReference(error: unknown): boolean {
  return errorCode(error) === FOREIGN_KEY_VIOLATION;
}
