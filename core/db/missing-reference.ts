import { errorCode } from '../kit/error-code.ts';

/** SQLSTATE codes (Postgres documentation, appendix A). */
const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';

/** Returns whether a row could not be written because a row that it refers to is gone. */
export function isMissingReference(error: unknown): boolean {
  return errorCode(error) === FOREIGN_KEY_VIOLATION;
}

/** Returns whether a row could not be written because another row already has its name. */
export function isTaken(error: unknown): boolean {
  return errorCode(error) === UNIQUE_VIOLATION;
}
