import { expect } from 'chai';
import { type Judgement, judge, type Standing, type Wish } from '../../../core/credentials/judge.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const MARGIN_SECONDS = 900;
const HOUR_MS = 3_600_000;

function at(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

/** Renewed ten minutes ago for an hour. */
function standing(changes: Partial<Standing> = {}): Standing {
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

const CASES: [string, Partial<Standing>, Wish, Judgement][] = [
  ['a token with time left', {}, 'working', 'serve'],
  ['a token inside the margin', { expiresAt: at(899) }, 'working', 'refresh'],
  ['a token just outside it', { expiresAt: at(901) }, 'working', 'serve'],
  ['an expired token', { expiresAt: at(-1) }, 'working', 'refresh'],
  ['a token without known expiry', { expiresAt: null, lifetimeMs: undefined }, 'working', 'serve'],
  ['a token of five minutes with more than a third left', { expiresAt: at(101), lifetimeMs: 300_000 }, 'working', 'serve'],
  ['a token of five minutes with less than a third left', { expiresAt: at(99), lifetimeMs: 300_000 }, 'working', 'refresh'],
  ['imported credentials that had expired', { expiresAt: at(-60), lifetimeMs: -60_000, generation: 1 }, 'working', 'refresh'],
  [
    'a two-second token renewed half a minute ago',
    { expiresAt: at(-28), lifetimeMs: 2000, refreshedAt: at(-30) },
    'working',
    'serve',
  ],
  [
    'a two-second token renewed over a minute ago',
    { expiresAt: at(-59), lifetimeMs: 2000, refreshedAt: at(-61) },
    'working',
    'refresh',
  ],
  ['an expired token during a back-off', { expiresAt: at(-1), refreshAfter: at(5) }, 'working', 'back_off'],
  ['an expired token after a back-off', { expiresAt: at(-1), refreshAfter: at(0) }, 'working', 'refresh'],
  ['a token with time left during a back-off', { refreshAfter: at(5) }, 'working', 'serve'],
  ['an expired token that cannot be renewed', { expiresAt: at(-1), refreshable: false }, 'working', 'expired'],
  ['a living token that cannot be renewed', { refreshable: false }, 'renewed', 'serve'],
  ['a connection that needs its user', { state: 'needs_reauth' }, 'working', 'needs_user'],
  ['a connection that needs its user, after 401', { state: 'needs_reauth' }, 'after401', 'needs_user'],
  ['a connection that needs its user, by force', { state: 'needs_reauth' }, 'renewed', 'refresh'],
  ['one that needs its user and cannot be renewed', { state: 'needs_reauth', refreshable: false }, 'renewed', 'needs_user'],
  ['a token with time left, by force', {}, 'renewed', 'refresh'],
  ['a token during a back-off, by force', { refreshAfter: at(5) }, 'renewed', 'refresh'],
  ['a token refused with 401', {}, 'after401', 'refresh'],
  ['a token refused with 401 right after its renewal', { refreshedAt: at(-1) }, 'after401', 'serve'],
  ['a token refused with 401 right after the authorization', { refreshedAt: at(-1), generation: 1 }, 'after401', 'refresh'],
  [
    'a token without known expiry refused with 401 half a minute after its renewal',
    { expiresAt: null, lifetimeMs: undefined, refreshedAt: at(-30) },
    'after401',
    'serve',
  ],
  [
    'a token without known expiry refused with 401 over a minute after its renewal',
    { expiresAt: null, lifetimeMs: undefined, refreshedAt: at(-61) },
    'after401',
    'refresh',
  ],
  ['a token refused with 401 during a back-off', { refreshAfter: at(5) }, 'after401', 'back_off'],
];

describe('what is to be done', () => {
  for (const [what, changes, wish, judgement] of CASES) {
    it(`is ${judgement} for ${what}`, () => {
      expect(judge(standing(changes), wish, MARGIN_SECONDS)).to.equal(judgement);
    });
  }
});
