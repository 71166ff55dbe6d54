import { expect } from 'chai';
import { failureText } from '../../../ui/dashboard/components/failure-text.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';

const said = (code: string, status: number, message?: string, retryAfter: number | null = null) =>
  failureText(new ApiError(code, { status, retryAfter, ...(message !== undefined && { message }) }));

describe('the text of a failed call', () => {
  const TOLD: readonly (readonly [string, number, string])[] = [
    ['provider_unavailable', 503, 'the provider could not be reached to verify the credentials'],
    ['provider_timeout', 504, 'the provider did not respond in time'],
    ['storage_unavailable', 503, 'the database does not respond'],
    ['forbidden', 403, '"prod" is a production environment: it has no inbox'],
    ['forbidden', 403, 'your role (viewer) may not do this; ask an admin'],
    ['conflict', 409, 'this is the last admin: make another member an admin first'],
    ['too_many_request', 429, 'you already follow 6 logs: close other tabs of the dashboard'],
  ];
  for (const [code, status, message] of TOLD)
    it(`is the service’s message: ${message}`, () => {
      expect(said(code, status, message).toLowerCase()).to.equal(`${message.toLowerCase()}.`);
    });

  it('is that the service failed only where it did', () => {
    expect(said('server_error', 500, 'the service failed on this request; find the cause in its log by req_1')).to.equal(
      'Something went wrong on our side. Try again in a moment.',
    );
    expect(said('', 502)).to.contain('before the service, such as a proxy, answered with status 502');
    expect(said('no_response', 0)).to.contain('did not respond');
  });

  it('says how long to wait', () => {
    expect(said('too_many_request', 429, 'too many attempts', 840)).to.equal('Too many attempts. Try again in 14 minutes.');
    expect(said('too_many_request', 429, 'too many attempts', 5)).to.equal('Too many attempts. Try again in 1 minute.');
  });

  it('says that a full disk saved nothing', () => {
    expect(said('storage_full', 503, 'the disk of the database is full; nothing was stored', 30)).to.contain('nothing was saved');
  });

  it('is the text of the page for this code, if it has one', () => {
    expect(failureText(new ApiError('conflict', { status: 409 }), { conflict: 'Taken.' })).to.equal('Taken.');
  });
});
