import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { makeFolders } from '../support/folders.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

/** A definition that declares none of the settings that every provider has. */
const DEFINITION = {
  display_name: 'Plain',
  docs: 'https://docs.example',
  auth_mode: 'API_KEY',
  proxy: { base_url: 'https://api.example' },
};

const ACCEPTED: readonly (readonly [name: string, value: string])[] = [
  ['own_callback', 'true'],
  ['own_callback', 'false'],
  ['issuer', 'https://auth.example/tenant'],
  ['allowed_hosts', 'files.example.com, EU.example.com:8443'],
  ['allowed_hosts', '192.0.2.7:8080'],
  ['allowed_hosts', Array.from({ length: 100 }, (_, at) => `host-${at}.example.com`).join(',')],
  ['revoked_codes', 'token_revoked,Account.Closed, 401-7'],
  ['verify', 'required'],
  ['verify', 'warn'],
  ['verify', 'off'],
  ['verify', ''],
];

const REFUSED: readonly (readonly [name: string, value: string, message: RegExp])[] = [
  ['own_callback', 'yes', /must be one of: true, false/],
  ['issuer', 'auth.example', /wrong format.*https:\/\/auth\.example\.com/],
  ['issuer', 'http://auth.example', /must begin with https/],
  ['allowed_hosts', 'ok.example,https://files.example.com', /^entry 2 of allowed_hosts must be a host or host:port/],
  ['allowed_hosts', 'files.example.com/v2', /host or host:port/],
  ['allowed_hosts', 'files.example.com:99999', /host or host:port/],
  ['allowed_hosts', '*.example.com', /host or host:port/],
  ['allowed_hosts', '2130706433', /host or host:port/],
  ['revoked_codes', 'fine,not fine', /^entry 2 of revoked_codes must be a code/],
  ['verify', 'never', /must be one of: required, warn, off/],
  ['verified', 'off', /not a field/],
];

describe('integration_config of every provider', function () {
  const files = use(this, () => makeFolders({ 'plain/provider.json': JSON.stringify(DEFINITION) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: files.path } }));

  before(() => app.api.post('/integrations', { unique_key: 'kept', provider: 'plain' }));

  for (const [name, value] of ACCEPTED) {
    it(`takes ${name} ${JSON.stringify(value.slice(0, 50))} on creation and on change`, async () => {
      const config = { integration_config: { [name]: value } };
      const made = await app.api.post('/integrations', {
        unique_key: `${name} ${value.slice(0, 20).replace(/[^\w]/g, '-')}`,
        provider: 'plain',
        ...config,
      });
      expect(made.status).to.equal(200);
      expect((await app.api.patch('/integrations/kept', config)).status).to.equal(200);
      const row = await app.database.db('integrations').where({ unique_key: 'kept' }).first('integration_config');
      expect(row.integration_config[name]).to.equal(value === '' ? undefined : value);
    });
  }

  for (const [name, value, message] of REFUSED) {
    it(`refuses ${name} ${JSON.stringify(value)} and says why`, async () => {
      const config = { integration_config: { [name]: value } };
      for (const response of [
        await app.api.post('/integrations', { unique_key: 'refused', provider: 'plain', ...config }),
        await app.api.patch('/integrations/kept', config),
      ]) {
        expectError(response, 'invalid_body');
        const [fault] = response.body.error.errors;
        expect(fault.path).to.deep.equal(['integration_config', name]);
        expect(fault.message).to.match(message);
      }
    });
  }
});
