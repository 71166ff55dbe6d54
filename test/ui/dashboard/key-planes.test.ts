import { expect } from 'chai';
import { ACCOUNT_SCOPES, ENVIRONMENT_SCOPES } from '../../../core/tenants/api-keys/scopes.ts';
import {
  ACCOUNT_PLANE,
  ENVIRONMENT_PLANE,
  groupsOf,
  inWords,
  type Key,
  leftWithout,
  presetsOf,
} from '../../../ui/dashboard/components/keys/plane.ts';

const PLANES = [
  { plane: ENVIRONMENT_PLANE, name: 'an environment', scopes: ENVIRONMENT_SCOPES },
  { plane: ACCOUNT_PLANE, name: 'the account', scopes: ACCOUNT_SCOPES },
];

describe('the scopes that the dashboard offers for keys', () => {
  for (const { plane, name, scopes } of PLANES) {
    it(`of ${name} are every scope of the service, once, with presets of such scopes`, () => {
      const offered = groupsOf(plane).flatMap(([, all]) => all);
      expect(offered).to.have.members(scopes.filter((scope) => !scope.endsWith(':*')));
      expect(new Set(offered)).to.have.property('size', offered.length);
      for (const [preset, held] of presetsOf(plane)) expect(scopes, preset).to.include.members([...held]);
    });
  }

  const WORDS: readonly (readonly [readonly string[], string])[] = [
    [['environment:*'], 'Full access'],
    [['environment:connect_sessions:write'], 'Connect UI only'],
    [['environment:logs:read', 'environment:proxy'], 'Proxy: call providers · Logs: all'],
    [['environment:integrations:*', 'environment:scripts:read'], 'Integrations: all · Scripts: read'],
  ];
  for (const [scopes, words] of WORDS)
    it(`are shown for ${scopes.join(' and ')} as: ${words}`, () => expect(inWords(ENVIRONMENT_PLANE, scopes)).to.equal(words));
});

describe('the keys with full access that remain when one is revoked', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const keyOf = (id: number, scopes: readonly string[], days: number | null): Key => ({
    ...{ id, name: `key ${id}`, scopes: [...scopes], created_at: '2026-01-15T09:00:00.000Z', last_used_at: null },
    ...{ last4: '7f3a', created_by: null },
    expires_at: days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
  });
  const FULL = keyOf(1, ['environment:*'], null);
  const left = (key: Key, ...others: readonly Key[]) => leftWithout(ENVIRONMENT_PLANE, key, [key, ...others]);

  it('are none, whatever keys there are that have expired or may do less', () => {
    expect(left(FULL)).to.equal('none');
    expect(left(FULL, keyOf(2, ['environment:*'], -1), keyOf(3, ['environment:proxy'], null))).to.equal('none');
  });

  it('are only expiring ones after the key has replaced another', () =>
    expect(left(FULL, keyOf(2, ['environment:*'], 6))).to.equal('expiring'));

  it('do not matter while one lasts, or for a key that has no full access', () => {
    expect(left(FULL, keyOf(2, ['environment:*'], null))).to.equal(undefined);
    expect(left(FULL, keyOf(2, ['environment:*'], 30))).to.equal(undefined);
    expect(left(keyOf(2, ['environment:proxy'], null))).to.equal(undefined);
  });
});
