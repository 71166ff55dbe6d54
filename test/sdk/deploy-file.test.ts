import { join } from 'node:path';
import { expect } from 'chai';
import { Svc } from '../../sdk/node/src/svc.ts';
import { svcError } from '../support/fake-service.ts';
import { makeFolders } from '../support/folders.ts';
import { storeIntegration } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const ADDRESS = { unique_key: 'cal', event: 'post-connection-creation' } as const;

const FILES = {
  'alone.js': 'export default async () => {};\n',
  'imports.ts': `import { text } from './text.ts';\nimport { name } from 'own';\nexport default async () => text + name;\n`,
  'text.ts': `export const text: string = process.env['NODE_ENV'] ?? 'found';\n`,
  'node_modules/own/package.json': '{"name": "own", "version": "1.0.0", "main": "main.js"}',
  'node_modules/own/main.js': 'exports.name = "own";',
  'needs-node.ts': `import { readFileSync } from 'node:fs';\nexport default async () => readFileSync;\n`,
  'wrong.ts': 'export default async () => { const a = ; };\n',
};

describe('deployFile of the Node client', function () {
  const app = use(this, startTenant);
  const folder = use(this, () => makeFolders(FILES));
  let svc: Svc;

  before(async () => {
    await storeIntegration(app.api, ADDRESS.unique_key);
    svc = new Svc({ baseUrl: app.url, apiKey: app.apiKey });
  });

  const deploy = (name: string) => svc.scripts.deployFile(ADDRESS, join(folder.path, name));

  it('deploys a file without imports unchanged, and bundles one with imports', async () => {
    expect((await deploy('alone.js')).data.version).to.equal(1);
    expect((await deploy('imports.ts')).data.version).to.equal(2);
    expect((await deploy('imports.ts')).data.version, 'the same once more').to.equal(2);
  });

  it('reports refusals of the service with their position', async () => {
    expect((await svcError(deploy('needs-node.ts'))).message).to.include('node:fs');
    expect((await svcError(deploy('wrong.ts'))).message).to.match(/line 1, column \d+/);
  });
});
