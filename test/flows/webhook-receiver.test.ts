import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { Deliveries } from '../support/deliveries.ts';
import { documentedBlocks, isInstalled, LANGUAGES } from '../support/documented-verifiers.ts';
import { type Folder, makeFolders } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { skipBecause } from '../support/skip.ts';
import { until } from '../support/until.ts';

const AUTH = { type: 'auth', operation: 'creation', success: true, connectionId: 'ada', providerConfigKey: 'notes' };
const FORWARD = { from: 'sandbox', type: 'forward', providerConfigKey: 'notes', payload: {} };

/** What a receiver prints for a message. */
const LINES = [
  [AUTH, 'auth: creation succeeded, notes, ada'],
  [{ ...AUTH, success: false, connectionId: undefined }, 'auth: creation failed, notes, no connection'],
  [{ ...FORWARD, connectionId: 'ada' }, 'forward: sent by the provider, notes, ada'],
  [FORWARD, 'forward: sent by the provider, notes, no connection'],
] as const;

const RECEIVERS = {
  Node: ['is-from-service.mjs', 'receiver.mjs'],
  Python: ['is_from_service.py', 'receiver.py'],
} as const;

for (const language of ['Node', 'Python'] as const)
  describe(`the receiver in ${language} that docs/webhooks.md shows`, () => {
    let deliveries: Deliveries;
    let folder: Folder;
    let receiver: ChildProcess;
    let url: string;
    let printed = '';

    before(async function () {
      if (!(await isInstalled(language))) skipBecause(this, `there is no ${language} here`);
      deliveries = await Deliveries.open();
      const [verifier = '', server = ''] = documentedBlocks(LANGUAGES[language].block);
      const [verifierFile, serverFile] = RECEIVERS[language];
      folder = await makeFolders({ [verifierFile]: verifier, [serverFile]: server });
      const port = await freePort();
      url = `http://127.0.0.1:${port}/`;
      const env = { ...process.env, PORT: String(port), SVC_WEBHOOK_SECRET: await deliveries.secret() };
      const [program] = LANGUAGES[language].command;
      receiver = spawn(program, [serverFile], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'ignore'] });
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

    const untilPrinted = (lines: number) => until(`${lines} lines are printed`, () => printed.split('\n').length === lines + 1);

    it('handles a message of each kind', async () => {
      for (const [index, [body, line]] of LINES.entries()) {
        await deliveries.send(1, { body });
        await untilPrinted(index + 1);
        expect(printed.trimEnd().split('\n').at(-1)).to.equal(line);
      }
    });

    it('refuses what the service has not sent', async () => {
      const before = printed;
      const body = JSON.stringify(AUTH);
      const now = String(Math.floor(Date.now() / 1_000));
      const forged = { 'webhook-id': 'msg_1', 'webhook-timestamp': now, 'webhook-signature': `v1,${'A'.repeat(43)}=` };
      for (const headers of [forged, {}]) expect((await fetch(url, { method: 'POST', body, headers })).status).to.equal(401);
      expect(printed).to.equal(before);
    });

    if (language === 'Node')
      it('ignores the repetition of a message', async () => {
        const [id = ''] = await deliveries.send(1, { body: AUTH });
        await untilPrinted(LINES.length + 1);
        const before = printed;
        await deliveries.app.api.post(`/webhook-messages/${id}/replay`);
        await deliveries.attempted(LINES.length + 2);
        expect((await deliveries.attempts()).every(({ status }) => status === 204)).to.equal(true);
        expect(printed).to.equal(before);
      });
  });
