import { expect } from 'chai';
import type { ModeInput } from '../../../../core/auth-modes/auth-mode.ts';
import { tba } from '../../../../core/auth-modes/tba/index.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { modeInput } from '../building-blocks/token-endpoint/mode-input.ts';

const TOKEN = { token_id: 'id', token_secret: 'secret' };
const OWN_APP = { oauth_client_id_override: 'own', oauth_client_secret_override: 'own secret' };
const ACCOUNT = { connectionConfig: { accountId: '1' } };
const NO_APP = { client: { clientId: '', clientSecret: '', scopes: [] } };

/** Values that a user enters, changes to the mode's input, and the error code; without a code, the values are accepted. */
const CASES: readonly (readonly [what: string, given: object, changes: Partial<ModeInput>, code?: string])[] = [
  ['a token, an app and an account', TOKEN, ACCOUNT],
  ['an app of its own', { ...TOKEN, ...OWN_APP }, { ...ACCOUNT, ...NO_APP }],
  ['no app', TOKEN, { ...ACCOUNT, ...NO_APP }, 'missing_client_id'],
  ['half an app', { ...TOKEN, oauth_client_id_override: 'own' }, { ...ACCOUNT, ...NO_APP }, 'missing_client_id'],
  ['no account', TOKEN, {}, 'invalid_query_params'],
  ['an account that is no text', TOKEN, { connectionConfig: { accountId: 1 } }, 'invalid_query_params'],
];

describe('the form of token-based authentication', () => {
  for (const [what, given, changes, code] of CASES) {
    it(`${code === undefined ? 'takes' : 'refuses'} ${what}`, () => {
      const check = () => tba.form?.check?.({ ...given }, modeInput({ auth_mode: 'TBA' }, changes));
      if (code === undefined) expect(check).to.not.throw();
      else expect(check).to.throw(ServiceError).with.property('code', code);
    });
  }
});
