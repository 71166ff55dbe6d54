/** Returns the `code` of a system error, a database error (SQLSTATE) or an error of Node; undefined for errors without one. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === undefined ? undefined : String(code);
}
