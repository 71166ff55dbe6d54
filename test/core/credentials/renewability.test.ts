import { expect } from 'chai';
import { type AuthRules, PluginError, type TokenSet } from '#contract';
import { validityOf } from '../../../core/auth-modes/validity.ts';
import { withRenewability } from '../../../core/credentials/renewability.ts';
import { createLogger } from '../../../core/kit/logger.ts';

const STORED = { type: 'OAUTH2', accessToken: 'the-access-token', raw: {}, receivedAt: '2026-11-23T08:00:00Z' };
const WITH_TOKEN = { ...STORED, refreshToken: 'the-refresh-token' };

const ANSWERS: Readonly<Record<string, { rule: (tokens: TokenSet) => unknown; without: boolean; with: boolean; logs?: true }>> = {
  yes: { rule: () => true, without: true, with: true },
  no: { rule: () => false, without: false, with: false },
  'by the tokens': { rule: ({ accessToken }) => accessToken === 'the-access-token', without: true, with: true },
  'no boolean': { rule: () => 'yes', without: false, with: true, logs: true },
  'a promise': { rule: async () => true, without: false, with: true, logs: true },
  'a refusal': {
    rule: () => {
      throw new PluginError('invalid_credentials', 'no');
    },
    without: false,
    with: true,
  },
  'a bug that quotes a token': {
    rule: ({ accessToken }) => {
      throw new TypeError(accessToken);
    },
    without: false,
    with: true,
    logs: true,
  },
};

describe('the refreshability of tokens', () => {
  for (const [answer, { rule, without, with: withToken, logs = false }] of Object.entries(ANSWERS)) {
    it(`is decided by the plugin, and otherwise by the mode: ${answer}`, () => {
      const lines: string[] = [];
      const log = createLogger({ level: 'info', write: (line) => lines.push(line) });
      const rules = { refresh: async () => ({ accessToken: 'x', raw: {} }), refreshable: rule as AuthRules['refreshable'] };
      const ask = (stored: typeof STORED) => withRenewability({ log }, { provider: 'acme', rules: rules as AuthRules }, stored);
      expect(validityOf(ask(STORED)).refreshable, 'without a refresh token').to.equal(without);
      expect(validityOf(ask(WITH_TOKEN)).refreshable, 'with a refresh token').to.equal(withToken);
      expect(lines.length > 0).to.equal(logs);
      expect(lines.join()).to.not.contain('the-access-token');
    });
  }

  it('is determined again for new tokens', () => {
    const log = createLogger({ level: 'silent' });
    const stored = { ...STORED, isRefreshable: true };
    expect(validityOf(withRenewability({ log }, { provider: 'acme' }, stored)).refreshable).to.equal(false);
  });
});
