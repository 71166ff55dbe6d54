import { expect } from 'chai';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { readAccount } from '../../core/connections/provider-account.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { IDENTITIES } from './identity-responses.ts';

/** The sandbox is left out because it has no documented response; `flows/sandbox` tests it. */
const providers = (await readCatalogue(DIRS))
  .list()
  .filter(({ definition }) => definition.identity !== undefined && definition.sandbox !== true);

describe('the identity of an account', () => {
  it('has a documented response for each provider that offers it', () => {
    expect(Object.keys(IDENTITIES)).to.have.members(providers.map(({ slug }) => slug));
  });

  for (const provider of providers) {
    const { identity, proxy } = provider.definition;
    const { responds, account } = IDENTITIES[provider.slug] ?? {};

    it(`is read from the response of ${provider.slug}`, () => {
      expect(readAccount(responds, identity?.account)).to.deep.equal(account);
    });

    it(`is not read from a response of ${provider.slug} without an ID or with another shape`, () => {
      for (const odd of [{}, [], null, 'text', { error: { id: {} } }])
        expect(readAccount(odd, identity?.account)).to.equal(undefined);
    });

    it(`is requested from ${provider.slug} over https`, () => {
      const url = fillProviderUrl(identity?.base_url ?? proxy?.base_url ?? '', exampleSource(provider));
      expect(url.protocol).to.equal('https:');
    });
  }
});
