import { expect } from 'chai';
import { environmentNameFault } from '../../../ui/dashboard/components/environment-name.ts';
import { faultsOf } from '../../../ui/dashboard/components/faults-of.ts';

const fault = (path: readonly string[], message: string) => ({ path, message, code: 'invalid' });

describe('the errors that a form shows', () => {
  it('are all errors of the service for a field, as sentences', () => {
    const faults = [
      fault(['credentials', 'client_id'], 'must not be empty'),
      fault(['name'], 'must be short'),
      fault(['name', '0'], 'Is that a name?'),
      fault(['other'], 'of no field'),
    ];
    expect(faultsOf(faults, ['name', 'credentials.client_id'])).to.deep.equal({
      'credentials.client_id': 'Must not be empty.',
      name: 'Must be short. Is that a name?',
    });
  });

  for (const name of ['', 'Live', 'a b', 'ä', 'a'.repeat(256)])
    it(`include an invalid environment name before it is sent: ${JSON.stringify(name.slice(0, 8))}`, () => {
      expect(environmentNameFault(name)).to.contain('lower-case letters');
      expect(environmentNameFault('pre-live_2')).to.equal(undefined);
    });
});
