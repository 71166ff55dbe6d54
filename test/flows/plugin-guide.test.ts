import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { projectFolder } from '../support/source-files.ts';

const SECTION = /^## Ten minutes: .*?(?=^## )/ms;
/** Matches a block of commands, or a file whose path is on the line before it. */
const BLOCK = /(?:^`(~\/[^`]+)`:\n\n)?^```(\w+)\n(.*?)^```$/gms;
/** A shell command that ends the programs that the walk has started, however the walk itself ends. */
const END = "trap 'kill $(jobs -p) 2> /dev/null; wait' EXIT";

describe('the walk of docs/plugins.md', () => {
  it('leads from an empty folder to a proxied call, typed as it stands', async function () {
    this.timeout(180_000);
    await using home = await newHome();
    const port = await freePort();
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const base = { PORT: String(port), SVC_BASE_URL: `http://localhost:${port}` };
    const child = spawn('bash', ['-c', script()], {
      cwd: projectFolder,
      env: { PATH, NODE_COMPILE_CACHE, HOME: home.path, ...base },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.match(
      /1 checked in \d+ ms: \d+ ok, 0 failed, 0 not walked\n.*1 checked in \d+ ms: \d+ ok, 0 failed, 0 not walked\n/s,
    );
    expect(stdout).to.match(/ok {10}webhook +note\.created: accepted when signed/);
    expect(stdout.trimEnd().endsWith('{"notes":["Buy milk"],"team":"T1"}'), stdout).to.equal(true);
  });
});

/** Returns a script of all blocks in order, which writes the files and runs the commands. */
function script(): string {
  const [section = ''] = SECTION.exec(readFileSync(join(projectFolder, 'docs/plugins.md'), 'utf8')) ?? [];
  const blocks = [...section.matchAll(BLOCK)].map(([, path, language, body = '']) => {
    if (path === undefined) {
      expect(language, body).to.equal('bash');
      return body;
    }
    return `mkdir -p ${dirname(path)}\ncat > ${path} <<'END_OF_FILE'\n${body}END_OF_FILE\n`;
  });
  expect(blocks).to.have.length.of.at.least(10);
  return ['set -euo pipefail', END, ...blocks].join('\n');
}

/** Creates a home folder that can be read by the system user under whom the database runs. */
async function newHome(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'svc-walk-'));
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
