// Matches escape sequences of JSON (RFC 8259 §7); those that are not in `PRINTED` may stand for characters that a terminal acts
// on.
const ESCAPES = /\\(?:u[0-9a-f]{4}|.)/gi;
const PRINTED = new Set(['\\"', '\\\\', '\\/']);

/**
 * Returns a function that writes log lines for people at a terminal. Characters that are escaped in a line remain escaped, so
 * that its content cannot control the terminal or look like another line.
 *
 * @param print receives the formatted lines
 * @returns undefined without the development dependencies, which include the formatter
 */
export async function terminalWriter(print: (text: string) => void): Promise<((line: string) => void) | undefined> {
  const formatter = await import('pino-pretty').catch(() => undefined);
  if (formatter === undefined) return undefined;
  const format = formatter.prettyFactory({ colorize: true, messageKey: 'message', translateTime: 'SYS:HH:MM:ss' });
  return (line) => print(format(line.replace(ESCAPES, (found) => (PRINTED.has(found) ? found : `\\${found}`))));
}
