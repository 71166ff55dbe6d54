import { expect } from 'chai';
import { Imports, VERIFIED_MODES } from '../support/imports.ts';
import { importableOf, providerOfMode } from '../support/mode-providers.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

describe('imported credentials are verified first', function () {
  const imports = use(this, () => Imports.open());

  beforeEach(() => imports.reset());
  const count = async () => Number((await imports.app.database.db('connections').count('* as n'))[0]?.['n']);
  const config = { connection_config: { accountId: '1234567' } };

  for (const mode of VERIFIED_MODES) {
    const key = `${providerOfMode(mode)}-verified`;

    it(`when they are of the type ${mode} and the provider declares a verification`, async () => {
      const { status, text } = await imports.into(key, importableOf(mode), config);
      expect(status, text).to.equal(200);
      expect(imports.calls.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['GET /me']);
      expect(imports.calls[0]?.authorization).to.match(/^(Basic|Bearer|OAuth) /);
    });

    for (const status of [401, 403, 404]) {
      it(`and are not stored when the provider refuses a ${mode} with ${status}`, async () => {
        const before = await count();
        imports.responses = { status };
        expectError(await imports.into(key, importableOf(mode), config), 'connection_test_failed');
        expect(await count()).to.equal(before);
      });
    }

    it(`and a failing provider is no refusal of a ${mode}`, async () => {
      const before = await count();
      imports.responses = { status: 500 };
      expectError(await imports.into(key, importableOf(mode), config), 'provider_unavailable');
      expect(await count()).to.equal(before);
    });
  }

  it('and a refusal leaves the credentials and tags of an existing connection', async () => {
    const key = 'mode-basic-verified';
    const input = importableOf('BASIC');
    const { body } = await imports.into(key, input, { connection_id: 'kept', tags: { a: '1' } });
    imports.responses = { status: 401 };
    const refused = await imports.into(key, importableOf('BASIC'), { connection_id: 'kept', tags: { a: '2' } });
    expectError(refused, 'connection_test_failed');
    const read = await imports.app.api.get(`/connections/kept?provider_config_key=${key}`);
    expect(read.body).to.deep.include({ id: body.id, tags: { a: '1' }, credentials: input });
  });

  it('and a refusal is in the log', async () => {
    imports.responses = { status: 401 };
    await imports.into('mode-basic-verified', importableOf('BASIC'), { connection_id: 'refused' });
    await imports.app.services.activity.flush();
    const rows = await imports.app.database.db('operation_log').where({ connection_id: 'refused' });
    expect(rows).to.have.length(1);
    const failure = {
      status: 'failure',
      error_code: 'connection_test_failed',
      summary: 'the provider refused the credentials (401)',
    };
    expect(rows[0]).to.include({ type: 'auth', operation: 'creation', ...failure });
  });

  it('by requesting an installation token if they belong to an app', async () => {
    const before = await count();
    imports.responses = { status: 404 };
    expectError(await imports.put('APP', importableOf('APP')), 'connection_test_failed');
    imports.responses = { status: 503 };
    expectError(await imports.put('APP', importableOf('APP')), 'provider_unavailable');
    expect(await count()).to.equal(before);
  });
});
