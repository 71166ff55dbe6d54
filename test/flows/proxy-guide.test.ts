import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectHeadlessly } from '../../examples/demo/steps.ts';
import { Bash } from '../support/bash.ts';
import { rememberSecret } from '../support/canaries.ts';
import { codeBlocks } from '../support/code-blocks.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const textOf = (guide: string) => readFileSync(join(projectFolder, 'docs', guide), 'utf8');
const PROXY = textOf('proxy.md');
/** Matches a file of a guide, whose name is in the line before it. */
const FILE = /as `([\w-]+\.\w+)`:\n\n```\w+\n(.*?)```/gs;

/** Returns the only block of commands in a guide that contains this text. */
function command(blocks: readonly string[], text: string): string {
  const [found = '', ...more] = blocks.filter((block) => block.includes(text));
  expect(more, text).to.deep.equal([]);
  return found;
}

describe('the guides from the first connection to a failed call', function () {
  const app = use(this, startTenant);
  const files = Object.fromEntries([...PROXY.matchAll(FILE)].map(([, name = '', code = '']) => [name, code]));
  const folder = use(this, () => makeFolders(files));
  const first = codeBlocks(textOf('start-here.md'), 'bash');
  const proxied = codeBlocks(PROXY, 'bash');
  let bash: Bash;
  let found = '';

  before(async () => {
    bash = new Bash({ SVC_URL: app.url, SVC_KEY: app.apiKey }, folder.path);
    const [make, connect] = [command(first, '"provider": "sandbox-oauth2"'), command(first, '/connect/sessions')];
    const { data } = JSON.parse(await bash.run(make, connect));
    await connectHeadlessly({ serviceUrl: app.url, token: rememberSecret('connect session token', data.token) });
    found = command(first, 'tags[end_user_id]');
  });

  it('start-here.md finds the connection by its tag, and calls the API', async () => {
    expect(JSON.parse(await bash.run(found, command(first, '/proxy/me'))).token.number).to.be.above(0);
  });

  it('proxy.md calls the API by curl, Node and Python', async () => {
    const [connection = '', call = ''] = proxied;
    expect(JSON.parse(await bash.run(connection, call)).token.number).to.be.above(0);
    expect(JSON.parse(await bash.run(connection, command(proxied, '/proxy/notes'))).text).to.equal('Buy milk');
    expect(await bash.run(connection, command(proxied, 'node call.mjs'))).to.match(/^200 \{/);
    expect(await bash.run(connection, command(proxied, 'python3 call.py'))).to.match(/^\(200, .*\n\(201, .*'Buy milk'/);
  });

  it('proxy.md finds why a call failed', async () => {
    const [connection = ''] = proxied;
    const failed = command(proxied, 'REQUEST=');
    const { data } = JSON.parse(await bash.run(connection, failed));
    expect(data.map(({ summary }: { summary: string }) => summary)).to.deep.equal(['GET /nowhere → 404']);
    const entry = JSON.parse(await bash.run(connection, failed, command(proxied, 'ENTRY=')));
    expect(entry.data.messages[0].facts.status).to.equal(404);
  });
});
