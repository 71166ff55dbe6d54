import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { Deliveries } from '../support/deliveries.ts';
import { documentedBlocks } from '../support/documented-verifiers.ts';
import { type Folder, makeFolders } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const AUTH = { type: 'auth', operation: 'creation', connectionId: 'ada' };

describe('the receiver that docs/webhooks.md shows', () => {
  let deliveries: Deliveries;
  let folder: Folder;
  let receiver: ChildProcess;
  let url: string;
  let printed = '';

  before(async () => {
    deliveries = await Deliveries.open();
    const [verifier = '', server = ''] = documentedBlocks('js');
    folder = await makeFolders({ 'is-from-service.mjs': verifier, 'receiver.mjs': server });
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const env = { PORT: String(port), SVC_WEBHOOK_SECRET: await deliveries.secret() };
    receiver = spawn(process.execPath, ['receiver.mjs'], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'inherit'] });
    receiver.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await until('the receiver listens', () => fetch(url).then(Boolean, () => false));
    await deliveries.setUrl(url);
    await deliveries.deliver();
  });
  after(async () => {
    const ended = receiver && once(receiver, 'exit');
    receiver?.kill();
    await ended;
    await folder?.[Symbol.asyncDispose]();
    await deliveries?.[Symbol.asyncDispose]();
  });

  it('handles a message, and ignores its repetition', async () => {
    const [id = ''] = await deliveries.send(1, { body: AUTH });
    await deliveries.untilStatus('delivered', 1);
    await deliveries.app.api.post(`/webhook-messages/${id}/replay`);
    await deliveries.attempted(2);
    expect((await deliveries.attempts()).map(({ status }) => status)).to.deep.equal([204, 204]);
    expect(printed).to.equal('auth creation ada\n');
  });

  it('refuses what the service has not sent', async () => {
    const body = JSON.stringify(AUTH);
    const now = String(Math.floor(Date.now() / 1_000));
    const forged = { 'webhook-id': 'msg_1', 'webhook-timestamp': now, 'webhook-signature': `v1,${'A'.repeat(43)}=` };
    for (const headers of [forged, {}]) expect((await fetch(url, { method: 'POST', body, headers })).status).to.equal(401);
    expect(printed).to.equal('auth creation ada\n');
  });
});
