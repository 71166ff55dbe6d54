import { expect } from 'chai';
import { grants, SCOPES, type Scope } from '../../../../core/tenants/api-keys/scopes.ts';

describe('scopes', () => {
  for (const scope of SCOPES) {
    it(`${scope} grants itself`, () => {
      expect(grants([scope], scope)).to.equal(true);
    });
  }

  const granted: readonly (readonly [string, Scope])[] = [
    ['environment:*', 'environment:proxy:override'],
    ['environment:*', 'environment:connections:read_credentials'],
    ['environment:connections:*', 'environment:connections:delete'],
    ['account:*', 'account:environments:api_keys:create'],
  ];
  for (const [one, other] of granted) {
    it(`${one} grants ${other}`, () => {
      expect(grants([one], other)).to.equal(true);
    });
  }

  const refused: readonly (readonly [string, Scope])[] = [
    ['environment:*', 'account:*'],
    ['account:*', 'environment:*'],
    ['account:*', 'environment:proxy'],
    ['environment:connections:*', 'environment:*'],
    ['environment:connections:*', 'environment:connect_sessions:write'],
    ['environment:connections:read', 'environment:connections:read_credentials'],
    ['environment:connections:read_credentials', 'environment:connections:read'],
    ['environment:proxy', 'environment:proxy:override'],
    ['environment:proxy:override', 'environment:proxy'],
    ['environment', 'environment:proxy'],
    ['*', 'environment:proxy'],
    [':*', 'environment:proxy'],
    ['', 'environment:proxy'],
  ];
  for (const [one, other] of refused) {
    it(`"${one}" does not grant ${other}`, () => {
      expect(grants([one], other)).to.equal(false);
    });
  }

  it('grant nothing when there are none', () => {
    expect(SCOPES.some((scope) => grants([], scope))).to.equal(false);
  });

  it('are added up', () => {
    expect(grants(['environment:logs:read', 'environment:proxy'], 'environment:proxy')).to.equal(true);
  });
});
