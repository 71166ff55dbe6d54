import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { openScripts } from '../support/script-host.ts';
import { projectFolder } from '../support/source-files.ts';
import { use } from '../support/use.ts';
import { HUNTS } from './hostile/hunts.ts';
import { REACHABLE, reachableThings } from './reachable-things.ts';

describe('SBX-01: the walls of the sandbox', function () {
  const scripts = use(this, openScripts);

  const run = (body: string) =>
    scripts.run(`export default async (svc, event) => {\n${body}\n}`, {
      args: [{ type: 'a' }],
      hostFunctions: { getMetadata: async () => ({}) },
      limits: { timeoutMs: 10_000 },
    });

  it('everything that a script can reach is on the list', async () => {
    const expected = (await readFile(REACHABLE, 'utf8')).trimEnd().split('\n');
    const found = await reachableThings();
    expect(found.filter((line) => line.includes('FOREIGN'))).to.deep.equal([]);
    const difference = {
      isNew: found.filter((line) => !expected.includes(line)),
      isGone: expected.filter((line) => !found.includes(line)),
    };
    expect(difference, 'node test/scripts-runtime/reachable-things.ts writes the list').to.deep.equal({ isNew: [], isGone: [] });
    expect(found).to.have.length.above(500);
  });

  for (const [name, body] of Object.entries(HUNTS)) {
    it(`nothing of the host is found by ${name}`, async () => {
      const outcome = await run(body);
      expect(outcome.status, JSON.stringify(outcome)).to.equal('done');
      const text = JSON.stringify(outcome.result);
      expect(text).not.to.match(/file:|node:|node_modules|isolated_vm|\/scripts-runtime|child\.ts|data:text|"(object|function)"/);
      expect(text).not.to.contain(projectFolder);
      expect(text).not.to.match(/process|Buffer|SharedArrayBuffer"|eval"/);
    });
  }

  it('patched prototypes reach no function that leads out of the sandbox', async () => {
    const outcome = await run(`
      const found = new Set();
      for (const { prototype: owner } of [Array, Function, Map, Promise, String, RegExp, Object]) {
        for (const key of Reflect.ownKeys(owner)) {
          const { value, configurable } = Object.getOwnPropertyDescriptor(owner, key);
          if (typeof value !== 'function' || !configurable || key === 'constructor') continue;
          Object.defineProperty(owner, key, { configurable: true, writable: true, value(...args) {
            for (const one of [this, ...args]) if (typeof one === 'function') found.add(one);
            return Reflect.apply(value, this, args);
          } });
        }
      }
      svc.log('a', { b: 1 }); console.log('a', {}); await svc.getMetadata(); await svc.getConnection().catch(() => {});
      new URL('https://a.example/?b=c').searchParams.set('d', 'e'); crypto.sha256('a');
      await new Promise((wake) => setTimeout(wake, 1));
      const sent = [];
      for (const one of found) { try { sent.push(one('log', 0, '', '{"level":"info","message":"forged"}')); } catch {} }
      return sent.length;`);
    expect(outcome.log.map(({ message }) => message)).not.to.include('forged');
  });

  it('nothing that a script changes is left for the next run', async () => {
    const marking = await run(
      'globalThis.mark = 1; Array.prototype.mark = 1; Object.prototype.mark = 1; svc.constructor.mark = 1; return 1;',
    );
    const next = await run('return [typeof globalThis.mark, typeof [].mark, typeof {}.mark, typeof svc.constructor.mark];');
    expect(marking.status).to.equal('done');
    expect(next.result).to.deep.equal(['undefined', 'undefined', 'undefined', 'undefined']);
  });
});
