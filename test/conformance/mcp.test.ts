import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startApp } from '../support/app.ts';
import { isLong } from '../support/size.ts';
import { use } from '../support/use.ts';

const RUNNER = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const CLIENT = fileURLToPath(new URL('mcp-client.ts', import.meta.url));
const EXPECTED = fileURLToPath(new URL('mcp-expected-failures.yml', import.meta.url));

/** These tests run only in the long suite, because few changes affect them. */
(isLong ? describe : describe.skip)('the conformance tests of the Model Context Protocol, for clients', function () {
  this.timeout(300_000);
  const app = use(this, () => startApp({ env: { SVC_OUTBOUND_ALLOW: 'localhost,127.0.0.1/32,::1/128' } }));

  for (const suite of ['auth', 'backcompat', 'draft']) {
    it(`pass except for the expected failures: ${suite}`, async () => {
      const { PATH = '' } = process.env;
      const env = { PATH, CONFORMANCE_SERVICE: app.url, CONFORMANCE_KEY: app.apiKey };
      const command = `${process.execPath} ${CLIENT}`;
      const args = [RUNNER, 'client', '--suite', suite, '--command', command, '--expected-failures', EXPECTED];
      await promisify(execFile)(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 }).catch((cause) => {
        throw new Error(cause.stdout, { cause });
      });
    });
  }
});
