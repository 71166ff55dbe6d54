// Matches escape sequences of JSON (RFC 8259 §7); all but those of `PRINTED` stand for more than a printed character.
const ESCAPES = /\\(?:u[0-9a-f]{4}|.)/gi;
const PRINTED = new Set(['\\"', '\\\\', '\\/']);

/**
 * Returns a function that writes log lines for people at a terminal. Characters that a line escapes stay escaped, so that
 * nothing in it acts on the terminal or looks like another line.
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
