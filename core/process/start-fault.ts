import { describeDatabaseFault } from '../db/database-fault.ts';
import { errorCode } from '../kit/error-code.ts';

/** SQLSTATE classes of a database that responds and does not let us in: authorization, unknown catalog, privileges. */
const REFUSED = /^(28|3D|42501)/;

/** Why the service does not run: one sentence about what an operator can fix, or the stack of a bug. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error) ?? '';
  // An AggregateError of several addresses has no message.
  const reason = error.message === '' ? code : error.message;
  if (describeDatabaseFault(error) !== undefined) return `the database does not respond (${reason}): check DATABASE_URL`;
  if (REFUSED.test(code)) return `the database refused the connection (${reason}): check DATABASE_URL`;
  return isBug(error) ? (error.stack ?? reason) : reason;
}

function isBug(error: Error): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError;
}
