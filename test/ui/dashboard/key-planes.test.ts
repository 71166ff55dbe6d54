import { expect } from 'chai';
import { ACCOUNT_SCOPES, ENVIRONMENT_SCOPES } from '../../../core/tenants/api-keys/scopes.ts';
import { ACCOUNT_PLANE, ENVIRONMENT_PLANE, groupsOf, inWords, presetsOf } from '../../../ui/dashboard/components/keys/plane.ts';

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
