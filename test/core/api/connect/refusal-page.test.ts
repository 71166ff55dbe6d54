import { expect } from 'chai';
import { refusalPage } from '../../../../core/api/connect/result-page.ts';
import { OutcomeUnknown } from '../../../../core/db/commit-outcome.ts';
import { ServiceError } from '../../../../core/errors.ts';

const VISIT = { requestId: 'one', acceptLanguage: 'en' };

describe('the page of a flow that an error in the service ended', () => {
  it('says that the outcome is not known only if it is not', () => {
    expect(String(refusalPage(new OutcomeUnknown(new Error('lost')), VISIT).body)).to.contain(
      'it isn’t known whether this worked',
    );
    for (const code of ['storage_full', 'storage_unavailable'] as const) {
      const page = String(refusalPage(new ServiceError(code, 'a message'), VISIT).body);
      expect(page).to.contain('Not connected').and.not.contain('known whether');
    }
  });
});
