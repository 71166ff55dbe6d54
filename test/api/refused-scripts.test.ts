import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectError } from '../support/std-error.ts';
import { storeIntegration } from '../support/stored.ts';
import { storeScript } from '../support/stored-script.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const EVENT = 'post-connection-creation';
const GOOD = 'export default async (svc: unknown) => svc;';

describe('a deploy that is refused', function () {
  const app = use(this, startTenant);
  let key: string;

  beforeEach(async () => {
    key = await storeIntegration(app.api, `i-${randomUUID()}`);
  });

  const put = (body: object, at = `/integrations/${key}/scripts/${EVENT}`) => app.api.put(at, body);
  const deploy = (source: string) => put({ source, language: 'typescript' });
  const scripts = async () => (await app.api.get(`/integrations/${key}/scripts`)).body.data;

  it('says where the source is wrong, and keeps the active version', async () => {
    await storeScript(app, { key });
    const response = await deploy('export default async () => {\n  const a: = 1;\n};');
    expectError(response, 'invalid_body', ['source']);
    expect(response.body.error.message).to.contain('line 2, column 12: ');
    expect(response.body.error.errors).to.have.length(1);
    expect(response.body.error.errors[0]).to.include({ code: 'syntax_error' });
    expect((await scripts())[0]).to.include({ version: 1, enabled: true });
  });

  it('because of an import names the command that bundles', async () => {
    const { error } = (await deploy("import a from 'a';\nexport default a;")).body;
    expect(error.message).to.contain('line 1, column 1: ').and.contain('`svc scripts deploy`');
    expect(error.errors[0]).to.deep.include({ code: 'import_refused', path: ['source'] });
  });

  it('because of its size states the limit, in whatever encoding', async () => {
    for (const source of [`${GOOD}//${'x'.repeat(256 * 1024)}`, `//${'\u0001'.repeat(300 * 1024)}`]) {
      const response = await deploy(source);
      expectError(response, 'invalid_body', ['source']);
      expect(response.body.error.message).to.contain('256 KB');
    }
    expectError(await deploy('x'.repeat(2 * 1024 * 1024)), 'payload_too_large');
  });

  it('creates no script', async () => {
    expectError(await deploy('export const a = 1;'), 'invalid_body', ['source']);
    expect(await scripts()).to.deep.equal([]);
  });

  const bodies: readonly object[] = [
    {},
    { source: GOOD },
    { language: 'typescript' },
    { source: '', language: 'typescript' },
    { source: GOOD, language: 'coffee' },
    { source: 1, language: 'javascript' },
    { source: GOOD, language: 'javascript', enabled: false },
    { source: GOOD, language: 'javascript', version: 7 },
  ];
  for (const body of bodies) it(`has the body ${JSON.stringify(body)}`, async () => expectError(await put(body), 'invalid_body'));

  it('is for an unknown event or integration', async () => {
    const body = { source: 'no script at all', language: 'javascript' };
    expectError(await put(body, `/integrations/${key}/scripts/pre-connection-creation`), 'invalid_uri_params');
    expectError(await put(body, `/integrations/none/scripts/${EVENT}`), 'unknown_provider_config');
  });
});
