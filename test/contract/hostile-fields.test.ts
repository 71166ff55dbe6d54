import { expect } from 'chai';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { exampleSource } from '../../core/cli/rehearsal/examples.ts';
import { escapingValue, filledPlacesOf } from '../../core/cli/rehearsal/hostile-values.ts';
import { DIRS } from './catalogue-cases.ts';

const { list } = await readCatalogue(DIRS);
const cases = list().flatMap((provider) => filledPlacesOf(provider.definition).map((place) => ({ provider, place })));

describe('hostile values of templated fields', () => {
  it('are tried on every URL that has a placeholder', () => expect(cases).to.have.length.of.at.least(8));

  for (const { provider, place } of cases) {
    it(`never move ${place.path.join('.')} of ${provider.slug} off its host by ${place.placeholder}`, () => {
      expect(escapingValue(place, exampleSource(provider))).to.equal(undefined);
    });
  }
});
