import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rememberSecret } from '../support/canaries.ts';
import { codeBlocks } from '../support/code-blocks.ts';
import { projectFolder } from '../support/source-files.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const GUIDE = readFileSync(`${projectFolder}docs/migrating-from-public-keys.md`, 'utf8');
const HMAC_KEY = 'the-hmac-key-of-the-guide';

/** Returns the blocks of commands in the guide that contain this text. */
function commands(text: string): string[] {
  return codeBlocks(GUIDE, 'bash').filter((code) => code.includes(text));
}

describe('docs/migrating-from-public-keys.md', function () {
  const app = use(this, startTenant);

  before(async () => {
    await storeConnection(app, { key: await storeIntegration(app.api, 'github'), connectionId: 'user-123' });
  });

  async function run(command: string): Promise<string> {
    const env = { PATH: process.env['PATH'] ?? '', SVC_URL: app.url, SVC_KEY: app.apiKey, HMAC_KEY };
    const script = command.replaceAll('curl ', 'curl -sS --fail-with-body ');
    return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env, timeout: 20_000 })).stdout;
  }

  it('shows a signature that the service accepts', async () => {
    const [sign = ''] = commands('openssl');
    expect((await run(sign)).trim().split(' ').at(-1)).to.equal(
      createHmac('sha256', HMAC_KEY).update('github:user-123').digest('hex'),
    );
  });

  it('shows requests that the service accepts: tags, a session, a session to reconnect', async () => {
    const [tag = '', connect = '', reconnect = '', ...more] = commands('curl');
    expect(more).to.deep.equal([]);
    await run(tag);
    const { body } = await app.api.get('/connections?tags[end_user_id]=user-123');
    expect(body.connections.map((one: { connection_id: string }) => one.connection_id)).to.deep.equal(['user-123']);
    for (const command of [connect, reconnect]) {
      const { data } = JSON.parse(await run(command));
      expect(rememberSecret('connect session token', data.token)).to.match(/^svc_connect_session_/);
    }
  });
});
