import { expect } from 'chai';
import { readCatalogue } from '../../../core/catalogue/catalogue.ts';
import { BUNDLED, generateProviders } from '../../support/generated-providers.ts';
import { use } from '../../support/use.ts';

const COUNT = 1_000;
/** Five times the result of `npm run bench -- catalogue-start` on a slow machine, since only the order of magnitude matters. */
const MAX_CPU_MS = 1_500;

describe('a catalogue of a thousand more providers', function () {
  this.timeout(60_000);
  const folders = use(this, () => generateProviders(COUNT));

  it('is read whole, without holding up the start', async () => {
    const before = process.cpuUsage();
    const catalogue = await readCatalogue([folders.path], BUNDLED);
    const { user, system } = process.cpuUsage(before);
    expect(catalogue.faults).to.deep.equal([]);
    expect(catalogue.list('generated-')).to.have.length(COUNT);
    expect(catalogue.find('generated-0000')?.proof).to.deep.equal({ level: 0, at: '2026-01-31' });
    expect(catalogue.find('generated-0001')?.proof).to.deep.equal({ level: 0, at: null });
    expect((user + system) / 1000).to.be.below(MAX_CPU_MS);
  });
});
