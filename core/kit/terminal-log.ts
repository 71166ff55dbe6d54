// Escape sequences of JSON (RFC 8259 §7) that stand for more than a printed character.
const ESCAPES = /\\(?:u[0-9a-f]{4}|.)/gi;
const PRINTED = new Set(['\\"', '\\\\', '\\/']);

/**
 * Writes log lines for people at a terminal. What a line escapes stays escaped, so that nothing in it acts on the terminal or
 * looks like another line.
 *
 * @param print where the formatted lines go
 * @returns undefined without the development dependencies, which bring the formatter
 */
export async function terminalWriter(print: (text: string) => void): Promise<((line: string) => void) | undefined> {
  const formatter = await import('pino-pretty').catch(() => undefined);
  if (formatter === undefined) return undefined;
  const format = formatter.prettyFactory({ colorize: true, messageKey: 'message', translateTime: 'SYS:HH:MM:ss' });
  return (line) => print(format(line.replace(ESCAPES, (found) => (PRINTED.has(found) ? found : `\\${found}`))));
}
