import { expect } from 'chai';
import { FLOW_FAILURE_CODES, FlowFailure } from '../../../../core/connect/flows/flow-failure.ts';
import { UI_ERROR_CODES, uiErrorCode } from '../../../../core/connect/flows/ui-errors.ts';
import { ERROR_STATUS, type ErrorCode, ServiceError } from '../../../../core/errors.ts';

const FAILURES = [
  ...FLOW_FAILURE_CODES.map((code) => new FlowFailure(code)),
  ...Object.keys(ERROR_STATUS).map((code) => new ServiceError(code as ErrorCode, 'a message')),
];

describe('the error code that a user interface gets for a failure', () => {
  it('is one of the documented codes, for every failure and every error of the API', () => {
    for (const failure of FAILURES) expect(uiErrorCode(failure), failure.code).to.be.oneOf([...UI_ERROR_CODES]);
  });

  it('can be each of the documented codes', () => {
    const reached = new Set(FAILURES.map(uiErrorCode));
    // No error has these codes, because the form itself marks wrong values, and no flow begins with an expired session.
    const known: readonly string[] = ['preset_invalid', 'session_expired'];
    expect(UI_ERROR_CODES.filter((code) => !reached.has(code) && !known.includes(code))).to.deep.equal([]);
  });

  it('is server_error for anything unknown', () => {
    expect(uiErrorCode(new Error('a fault'))).to.equal('server_error');
  });
});
