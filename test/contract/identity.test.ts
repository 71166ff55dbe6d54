import { expect } from 'chai';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { readAccount } from '../../core/connections/provider-account.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { IDENTITIES } from './identity-responses.ts';

/** What the service plays documents nothing: `flows/sandbox` asks it. */
const providers = (await readCatalogue(DIRS))
  .list()
  .filter(({ definition }) => definition.identity !== undefined && definition.sandbox !== true);

describe('the identity of an account', () => {
  it('has a documented response for each provider that can be asked', () => {
    expect(Object.keys(IDENTITIES)).to.have.members(providers.map(({ slug }) => slug));
  });

  for (const provider of providers) {
    const { identity, proxy } = provider.definition;
    const { responds, account } = IDENTITIES[provider.slug] ?? {};

    it(`is read from what ${provider.slug} responds`, () => {
      expect(readAccount(responds, identity?.account)).to.deep.equal(account);
    });

    it(`is not read from what ${provider.slug} responds if it has no ID or another shape`, () => {
      for (const odd of [{}, [], null, 'text', { error: { id: {} } }])
        expect(readAccount(odd, identity?.account)).to.equal(undefined);
    });

    it(`is asked of ${provider.slug} over https`, () => {
      const url = fillProviderUrl(identity?.base_url ?? proxy?.base_url ?? '', exampleSource(provider));
      expect(url.protocol).to.equal('https:');
    });
  }
});
