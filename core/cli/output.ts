import { escapeUnsafe } from '../kit/unsafe-characters.ts';

/** An error to print, with the exit code: 1 failure, 2 usage error. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(2, message);
}

export function commandError(message: string): CommandError {
  return new CommandError(1, message);
}

/** Returns the only argument of a command, a file. @param usage the command with its arguments, for the message */
export function fileOf(usage: string, positionals: readonly string[]): string {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw usageError(`${usage.split(' ', 1)[0]} needs one file: svc ${usage}`);
  return file;
}

export function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join('; ')
    .replaceAll(':; ', ': ');
}

/** Prints an object as JSON, or as one line for each field. */
export function printObject(value: Readonly<Record<string, unknown>>, asJson: boolean): void {
  if (asJson) {
    console.log(escapeUnsafe(JSON.stringify(value)));
    return;
  }
  const width = Math.max(...Object.keys(value).map((name) => name.length));
  for (const [name, member] of Object.entries(value)) console.log(`${name.padEnd(width)}  ${shown(member)}`);
}

export function printList(values: readonly Readonly<Record<string, unknown>>[], asJson: boolean): void {
  if (asJson) console.log(escapeUnsafe(JSON.stringify({ data: values })));
  else for (const value of values) console.log(Object.values(value).map(shown).join('  '));
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return escapeUnsafe(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
