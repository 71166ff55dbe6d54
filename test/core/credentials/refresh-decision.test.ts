import { expect } from 'chai';
import {
  decideRefresh,
  type RefreshDecision,
  type RefreshReason,
  type TokenState,
} from '../../../core/credentials/refresh-decision.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const MARGIN_SECONDS = 900;
const HOUR_MS = 3_600_000;

function at(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

/** Returns the state of a token that was refreshed ten minutes ago and lives an hour. */
function tokenState(changes: Partial<TokenState> = {}): TokenState {
  return {
    now: NOW,
    generation: 2,
    expiresAt: at(3000),
    lifetimeMs: HOUR_MS,
    refreshable: true,
    refreshedAt: at(-600),
    refreshAfter: null,
    state: 'healthy',
    authErrorLogId: null,
    ...changes,
  };
}

const CASES: [string, Partial<TokenState>, RefreshReason, RefreshDecision][] = [
  ['a token with time left', {}, 'use', 'serve'],
  ['a token inside the margin', { expiresAt: at(899) }, 'use', 'refresh'],
  ['a token just outside it', { expiresAt: at(901) }, 'use', 'serve'],
  ['an expired token', { expiresAt: at(-1) }, 'use', 'refresh'],
  ['a token without known expiry', { expiresAt: null, lifetimeMs: undefined }, 'use', 'serve'],
  ['a token of five minutes with more than a third left', { expiresAt: at(101), lifetimeMs: 300_000 }, 'use', 'serve'],
  ['a token of five minutes with less than a third left', { expiresAt: at(99), lifetimeMs: 300_000 }, 'use', 'refresh'],
  ['imported credentials that had expired', { expiresAt: at(-60), lifetimeMs: -60_000, generation: 1 }, 'use', 'refresh'],
  [
    'a two-second token refreshed half a minute ago',
    { expiresAt: at(-28), lifetimeMs: 2000, refreshedAt: at(-30) },
    'use',
    'serve',
  ],
  [
    'a two-second token refreshed over a minute ago',
    { expiresAt: at(-59), lifetimeMs: 2000, refreshedAt: at(-61) },
    'use',
    'refresh',
  ],
  ['an expired token during a back-off', { expiresAt: at(-1), refreshAfter: at(5) }, 'use', 'back_off'],
  ['an expired token after a back-off', { expiresAt: at(-1), refreshAfter: at(0) }, 'use', 'refresh'],
  ['a token with time left during a back-off', { refreshAfter: at(5) }, 'use', 'serve'],
  ['an expired token that cannot be refreshed', { expiresAt: at(-1), refreshable: false }, 'use', 'expired'],
  ['a valid token that cannot be refreshed', { refreshable: false }, 'forced', 'serve'],
  ['a connection that needs its user', { state: 'needs_reauth' }, 'use', 'needs_user'],
  ['a connection that needs its user, after 401', { state: 'needs_reauth' }, 'after401', 'needs_user'],
  ['a connection that needs its user, by force', { state: 'needs_reauth' }, 'forced', 'refresh'],
  ['one that needs its user and cannot be refreshed', { state: 'needs_reauth', refreshable: false }, 'forced', 'needs_user'],
  ['a token with time left, by force', {}, 'forced', 'refresh'],
  ['a token during a back-off, by force', { refreshAfter: at(5) }, 'forced', 'refresh'],
  ['a token refused with 401', {}, 'after401', 'refresh'],
  ['a token refused with 401 right after its refresh', { refreshedAt: at(-1) }, 'after401', 'serve'],
  ['a token refused with 401 right after the authorization', { refreshedAt: at(-1), generation: 1 }, 'after401', 'refresh'],
  [
    'a token without known expiry refused with 401 half a minute after its refresh',
    { expiresAt: null, lifetimeMs: undefined, refreshedAt: at(-30) },
    'after401',
    'serve',
  ],
  [
    'a token without known expiry refused with 401 over a minute after its refresh',
    { expiresAt: null, lifetimeMs: undefined, refreshedAt: at(-61) },
    'after401',
    'refresh',
  ],
  ['a token refused with 401 during a back-off', { refreshAfter: at(5) }, 'after401', 'back_off'],
];

describe('the decision about a refresh', () => {
  for (const [what, changes, reason, decision] of CASES) {
    it(`is ${decision} for ${what}`, () => {
      expect(decideRefresh(tokenState(changes), reason, MARGIN_SECONDS)).to.equal(decision);
    });
  }
});
