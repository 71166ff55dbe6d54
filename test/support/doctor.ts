import { expect } from 'chai';
import type { DoctorCheck } from '../../core/cli/doctor/check.ts';

export function named(checks: readonly DoctorCheck[], name: string): DoctorCheck {
  const check = checks.find((one) => one.name === name);
  if (check === undefined) throw new Error(`nothing was said of ${name}: ${JSON.stringify(checks)}`);
  return check;
}

/** Asserts that a check has this status, suggests a fix unless it is ok, and has these words in its message or its fix. */
export function expectCheck(check: DoctorCheck, status: DoctorCheck['status'], ...words: readonly string[]): void {
  expect(check.status, check.message).to.equal(status);
  expect(check.fix === undefined, 'the check suggests no fix').to.equal(status === 'ok');
  for (const word of words) expect(`${check.message}; ${check.fix}`).to.contain(word);
}
