import { oneLine } from '../output.ts';

/** What one look found. `warn`: it works, and something about it will hurt. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly fix?: string;
}

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message };
}

export function warn(name: string, message: string, fix: string): Check {
  return { name, status: 'warn', message, fix };
}

export function fail(name: string, message: string, fix: string): Check {
  return { name, status: 'fail', message, fix };
}

/** For a person, on one line. */
export function describe({ name, status, message, fix }: Check): string {
  return oneLine(`${status.padEnd(4)}  ${name.padEnd(15)}  ${message}${fix === undefined ? '' : `; ${fix}`}`);
}
