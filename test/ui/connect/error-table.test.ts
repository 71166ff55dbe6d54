import { expect } from 'chai';
import { textsOfFailure } from '../../../ui/connect/flow/failures.ts';
import { en } from '../../../ui/connect/texts/en.ts';
import { translator } from '../../../ui/connect/texts/translate.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { failed, flow, form, started } from './fake-window.ts';

const t = translator({ tag: 'en', texts: en }, 'Acme');
const KEYED = form('desk', {
  way: 'form',
  fields: [{ path: ['credentials', 'apiKey'], title: 'API key', secret: true }],
});
const NOT_CONNECTED = 'Desk was not connected';

/**
 * Each row holds an error code, and the screen, heading, text and action that the window shows for a flow that failed with this
 * code.
 */
const TABLE = [
  ['session_missing', 'ended'],
  ['session_expired', 'ended'],
  ['session_used', 'ended'],
  ['origin_not_allowed', 'not_allowed'],
  [
    'integration_unavailable',
    'failure',
    NOT_CONNECTED,
    'Desk isn’t available right now. Acme needs to finish setting it up.',
    'choose_other',
  ],
  ['connection_deleted', 'failure', NOT_CONNECTED, 'This connection no longer exists.', 'close'],
  ['flow_cancelled', 'failure', 'Cancelled', 'You cancelled. Nothing was connected.', 'try_again'],
  [
    'provider_denied',
    'failure',
    'Access was not allowed',
    'The sign-in at Desk was cancelled or refused. Nothing was stored.',
    'try_again',
  ],
  ['provider_error', 'failure', NOT_CONNECTED, 'Desk reported a problem. Nothing was stored.', 'try_again'],
  [
    'state_mismatch',
    'failure',
    'This attempt is over',
    'This attempt is no longer valid, maybe because another one was started.',
    'try_again',
  ],
  [
    'token_exchange_failed',
    'failure',
    NOT_CONNECTED,
    'Desk accepted you but refused to finish. Acme may need to check its setup.',
    'try_again',
  ],
  [
    'account_not_permitted',
    'failure',
    NOT_CONNECTED,
    'Your Desk account doesn’t have the rights that are needed. Ask an administrator of Desk.',
    'try_again',
  ],
  ['account_refused', 'failure', NOT_CONNECTED, 'The connection to Desk was not accepted.', 'try_again'],
  ['credentials_rejected', 'start', NOT_CONNECTED, 'Desk didn’t accept these details. Check them and try again.', 'try_again'],
  ['provider_unreachable', 'failure', NOT_CONNECTED, 'We got no usable response from Desk. Try again in a moment.', 'try_again'],
  ['field_invalid', 'start', NOT_CONNECTED, 'Some details are missing or have the wrong form.', 'try_again'],
  [
    'preset_invalid',
    'failure',
    NOT_CONNECTED,
    'A detail that was filled in or stored doesn’t work. Tell Acme about it.',
    'close',
  ],
  [
    'wrong_account',
    'failure',
    NOT_CONNECTED,
    'This is a different Desk account from the one connected before. Sign in with the same account.',
    'try_again',
  ],
  ['connection_limit', 'failure', NOT_CONNECTED, 'No more accounts can be connected here.', 'close'],
  ['rate_limited', 'failure', NOT_CONNECTED, 'Too many attempts.', 'try_again'],
  [
    'approval_pending',
    'failure',
    'Not approved yet',
    'Someone has to approve this at Desk first. Come back when that is done.',
    'try_again',
  ],
  ['offline', 'failure', NOT_CONNECTED, 'We got no answer. Check your internet connection.', 'try_again'],
  ['outcome_unknown', 'failure', 'This attempt is over', 'It isn’t known whether this worked.', 'try_again'],
  ['server_error', 'failure', NOT_CONNECTED, 'Something went wrong on our side.', 'try_again'],
] as const;

describe('what a person reads and can do when a flow fails', () => {
  for (const [code, at, heading, text, action] of TABLE) {
    it(code, async () => {
      const fake = await started({}, KEYED);
      fake.answer = async ({ id }) => flow({ id, ...failed(code) });
      // Of a session that has ended, the service says why.
      if (code === 'session_used') fake.session = () => Promise.reject(new ApiError(code, { status: 401 }));
      fake.window.type('credentials.apiKey', 'a key');
      fake.window.submit();
      await fake.settle();
      expect(fake.at).to.equal(at);
      expect(fake.messages.flatMap((one) => (one.type === 'error' ? [one.payload.code] : []))).to.deep.equal([code]);
      if (heading === undefined) return;
      expect(fake.window.state.screen).to.have.nested.property('failure.code', code);
      expect(fake.window.state.values).to.deep.equal({ 'credentials.apiKey': 'a key' });
      const found = textsOfFailure(code, KEYED);
      expect(t(found.heading, { name: 'Desk' })).to.equal(heading);
      expect(t(found.text, { name: 'Desk' })).to.equal(text);
      expect(found.action).to.equal(action);
    });
  }
});
