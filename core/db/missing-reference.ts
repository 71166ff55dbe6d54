/** Postgres documentation, appendix A. */
const FOREIGN_KEY_VIOLATION = '23503';

/** Whether a row could not be written because one that it refers to is gone. */
export function isMissingReference(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION;
}
