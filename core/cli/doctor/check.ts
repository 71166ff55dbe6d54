import { oneLine } from '../output.ts';

/** Result of one check. `warn`: it works now, but is likely to cause trouble. */
export interface DoctorCheck {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly fix?: string;
}

export function ok(name: string, message: string): DoctorCheck {
  return { name, status: 'ok', message };
}

export function warn(name: string, message: string, fix: string): DoctorCheck {
  return { name, status: 'warn', message, fix };
}

export function fail(name: string, message: string, fix: string): DoctorCheck {
  return { name, status: 'fail', message, fix };
}

/** Returns a check as one line of text. */
export function describe({ name, status, message, fix }: DoctorCheck): string {
  return oneLine(`${status.padEnd(4)}  ${name.padEnd(15)}  ${message}${fix === undefined ? '' : `; ${fix}`}`);
}
