import { expect } from 'chai';
import { categoriesOf, countOf, type Listed, matchesOf, sectionsOf } from '../../../ui/dashboard/pages/integrations/sections.ts';

function listed(name: string, categories: readonly string[], part: Partial<Listed> = {}): Listed {
  return {
    name,
    display_name: name,
    auth_mode: 'OAUTH2',
    logo_url: `https://svc.example/logos/${name}.svg`,
    proof: { level: 0, at: null },
    categories,
    ...part,
  };
}

const PROVIDERS = [
  listed('amber', ['crm']),
  listed('any', ['other'], { auth_mode: 'API_KEY' }),
  listed('birch', ['ticketing', 'dev-tools']),
  listed('cobalt', ['ticketing']),
  listed('own', ['crm']),
  listed('amber-sandbox', ['sandbox', 'crm'], { sandbox: true }),
  listed('unsorted', []),
];
const namesOf = (providers: readonly Listed[]) => providers.map(({ name }) => name);

describe('the sections of the catalogue', () => {
  it('have each provider once: the operator’s own, by category, generic, made up', () => {
    const { own, categories, generic, sandbox } = sectionsOf(PROVIDERS, ['own', 'amber-sandbox']);
    expect([own, generic, sandbox].map(namesOf)).to.deep.equal([['own'], ['any'], ['amber-sandbox']]);
    expect(categories.map(({ name, providers }) => [name, ...namesOf(providers)])).to.deep.equal([
      ['ticketing', 'birch', 'cobalt'],
      ['', 'unsorted'],
      ['crm', 'amber'],
    ]);
  });

  it('count neither generic nor made-up providers', () => expect(countOf(PROVIDERS)).to.equal(5));

  it('offer the categories by their words, the generic one last, without those of made-up providers', () =>
    expect(categoriesOf(PROVIDERS)).to.deep.equal(['crm', 'dev-tools', 'ticketing', 'other']));

  for (const [search, category, names] of [
    ['AMBER', '', ['amber', 'amber-sandbox']],
    ['developer tools', '', ['birch']],
    ['api key', '', ['any']],
    ['', 'crm', ['amber', 'own', 'amber-sandbox']],
    ['amber', 'ticketing', []],
  ] as const)
    it(`find “${search}” in ${category || 'all categories'}`, () =>
      expect(namesOf(matchesOf([...PROVIDERS].reverse(), { search, category })).sort()).to.deep.equal([...names].sort()));

  it('have matches that are made up at the end', () =>
    expect(namesOf(matchesOf([...PROVIDERS].reverse(), { search: 'amber', category: '' }))).to.deep.equal([
      'amber',
      'amber-sandbox',
    ]));
});
