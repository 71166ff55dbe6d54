import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { codeBlocks } from '../support/code-blocks.ts';
import { mustBe } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { Installation } from '../support/installation.ts';
import { LOOPBACK_ONLY } from '../support/loopback-only.ts';
import { projectFolder } from '../support/source-files.ts';
import { useEach } from '../support/use.ts';

const textOf = (guide: string) => readFileSync(join(projectFolder, guide), 'utf8');
/** The guides with commands. `plugin-guide` runs all of `plugins.md`. */
const GUIDES = globSync('docs/*.md', { cwd: projectFolder }).filter(
  (guide) => guide !== 'docs/plugins.md' && codeBlocks(textOf(guide), 'bash').length > 0,
);
/** Matches a file of a definition, whose path is in the line before it. */
const DEFINITION = /`~\/([\w/]+\/provider\.json)`:\n\n```json\n(.*?)```/gs;

const CLI = fileURLToPath(new URL('../../core/cli/main.ts', import.meta.url));
/** Makes curl print, for each request, the status, the code of an error, and what was asked for. */
const CURL = String.raw`silent
max-time = 20
write-out = "%{stderr}%{http_code} %header{svc-error} %{method} %{url}\n"
`;
/** Stands for npm: runs the command line of the service, and prints its exit code and arguments. The rest serves or installs. */
const NPM = `#!/bin/bash
while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
[ $# -gt 0 ] || exit 0
shift
${[process.execPath, ...LOOPBACK_ONLY, CLI].map((word) => `'${word}'`).join(' ')} "$@"
echo "command $? $*" >&2
`;
/** Stands for programs of the guides, which have tests of their own. */
const NOTHING = '#!/bin/sh\n';

/** Answers to requests that are right, but about what only the reader has: a connection, an API, an account at a provider. */
const ELSEWHERE = /^(404 unknown_(connection|provider_config)|503 provider_unavailable) | http:\/\/[^/]+\/proxy\//;
/** Matches a command that was called in a wrong way. */
const USAGE = /^command 2 /;

describe('the commands of the guides', function () {
  this.timeout(120_000);
  const installation = useEach(this, () => Installation.open());
  const folder = useEach(this, () =>
    makeFolders({ '.curlrc': CURL, 'bin/npm': NPM, 'bin/node': NOTHING, 'bin/docker': NOTHING, 'bin/python3': NOTHING }),
  );

  for (const guide of GUIDES)
    it(`${basename(guide)}: requests are taken, and commands are called rightly`, async () => {
      const definitions = [...textOf(guide).matchAll(DEFINITION)].map(([, path = '', json = '']) => [path, json]);
      await using home = await makeFolders(Object.fromEntries(definitions));
      const providers = definitions.length === 0 ? {} : { SVC_PROVIDERS_DIR: join(home.path, 'providers') };
      const app = await installation.startApp({ ...providers, SVC_OUTBOUND_ALLOW: '127.0.0.1' });
      const code = codeBlocks(textOf(guide), 'bash').join('\n');
      if (!code.includes('"unique_key": "notes"')) await connectNotes(app);
      const lines = await run(app, code);
      const requests = lines.filter((line) => /^\d{3} /.test(line));
      expect(requests).to.have.length(code.match(/\bcurl /g)?.length ?? 0);
      expect(requests.filter((line) => !/^2\d\d /.test(line) && !ELSEWHERE.test(line))).to.deep.equal([]);
      const commands = lines.filter((line) => line.startsWith('command '));
      expect(commands).to.have.length(code.match(/ svc -- /g)?.length ?? 0);
      expect(commands.filter((line) => USAGE.test(line))).to.deep.equal([]);
    });

  /** Runs commands in one shell, and goes on after one that failed. @returns the lines of their standard error */
  async function run({ url, apiKey }: TestApp, code: string): Promise<readonly string[]> {
    const bin = join(folder.path, 'bin');
    for (const name of ['npm', 'node', 'python3']) await chmod(join(bin, name), 0o755);
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const own = { PATH: `${bin}:${PATH}`, HOME: folder.path, NODE_COMPILE_CACHE };
    const env = { ...installation.env, ...own, SVC_URL: url, SVC_KEY: apiKey };
    const script = code.replaceAll('http://localhost:3003', url).replaceAll('$(cat .svc/api-key)', apiKey);
    const { stderr } = await promisify(execFile)('bash', ['-c', `${script}\ntrue`], { cwd: folder.path, env, timeout: 60_000 });
    return stderr.split('\n');
  }
});

async function connectNotes({ api }: TestApp): Promise<void> {
  mustBe(200, await api.post('/integrations', { unique_key: 'notes', provider: 'sandbox-oauth2' }));
  const credentials = { type: 'OAUTH2', access_token: canary('token of a guide') };
  mustBe(200, await api.post('/connections', { provider_config_key: 'notes', connection_id: 'ada', credentials }));
}
