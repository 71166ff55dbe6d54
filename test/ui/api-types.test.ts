import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { API_TYPES_FILE, apiTypes } from '../../ui/pipeline/api-types.ts';

describe('the types of the dashboard', () => {
  it('are generated from the current private interface', async () => {
    const isCurrent = readFileSync(API_TYPES_FILE, 'utf8') === (await apiTypes());
    expect(isCurrent, 'ui/dashboard/app/api-types.ts is out of date: run npm run schema').to.equal(true);
  });
});
