import { expect } from 'chai';
import { DEFAULT_LIMITS } from '../../scripts-runtime/limits.ts';
import { openScripts } from '../support/script-host.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const MAX_RISE_BYTES = 30 * 1024 * 1024;
const LINES = size(200_000, 1_000_000);

describe('SBX-05: floods of output', function () {
  const scripts = use(this, openScripts);

  const run = (body: string) =>
    scripts.run(`export default async (svc) => {\n${body}\n}`, {
      hostFunctions: { setMetadata: async ([metadata]) => metadata },
      limits: { timeoutMs: 15_000 },
    });

  it('do not raise the memory of the service, and stop with a mark in the log', async () => {
    await run('svc.log("a"); return 1;');
    const before = process.memoryUsage.rss();
    const lines = await run(`for (let at = 0; at < ${LINES}; at += 1) svc.log(\`line \${at}\`); return 1;`);
    const long = await run('for (let at = 0; at < 100; at += 1) console.log("x".repeat(1e6)); return 1;');
    const facts = await run('for (let at = 0; at < 100; at += 1) svc.log("a", { all: "x".repeat(1e6) }); return 1;');
    const odd = await run(
      'svc.log(Symbol("a")); svc.log({ a: 1n }); svc.log("a", { b: 1n }); console.error(new TypeError("b"), [1]); return 1;',
    );
    for (const body of ['return "x".repeat(2e8);', 'throw new Error("x".repeat(1e8));', 'return Array(1e6).fill("x");'])
      await run(body);
    expect(process.memoryUsage.rss() - before).to.be.below(MAX_RISE_BYTES);

    expect(lines.status).to.equal('done');
    expect(lines.log).to.have.length(DEFAULT_LIMITS.logLines + 1);
    expect(lines.log.at(-1)).to.deep.include({ level: 'warn', message: '… (cut: only the first 500 lines are kept)' });
    expect(long.log[0]?.message).to.match(/^x{4096}… \(cut, 1000000 characters\)$/);
    expect(String(facts.log[0]?.facts)).to.match(/^\{"all":"x+… \(cut, 1000010 characters\)$/);
    const messages = odd.log.map(({ level, message, facts }) => [level, message, facts]);
    expect(messages).to.deep.equal([
      ['info', 'Symbol(a)', undefined],
      ['info', '(not readable)', undefined],
      ['info', 'a', '(not plain data)'],
      ['error', 'TypeError: b [1]', undefined],
    ]);
  });

  it('of facts that grow when they are serialized again are cut, too', async () => {
    const grows = 'let asked = 0; svc.log("a", { toJSON: () => "x".repeat(asked++ % 2 === 0 ? 1 : 65_000) });';
    const outcome = await run(`for (let at = 0; at < 500; at += 1) { ${grows} } return 1;`);
    expect(outcome.status, JSON.stringify(outcome).slice(0, 300)).to.equal('done');
    expect(outcome.log).to.have.length(500);
    expect(outcome.log[0]?.facts).to.equal('(cut: more than 4096 characters)');
    expect(JSON.stringify(outcome.log)).to.have.length.below(100_000);
  });

  it('of control characters in every line are kept too', async () => {
    const outcome = await run(
      'for (let at = 0; at < 50; at += 1) svc.log("\\u0000".repeat(1e4), { all: "\\u0000".repeat(1e4) }); return 1;',
    );
    expect(outcome.status, JSON.stringify(outcome).slice(0, 300)).to.equal('done');
    expect(outcome.log).to.have.length(50);
  });

  it('cannot change a prototype of the service', async () => {
    const members =
      '"__proto__":{"x":1},"a":{"__proto__":{"x":1},"\\\\u005f_proto__":{"x":1}},"constructor":{"prototype":{"x":1}}';
    const evil = `JSON.parse('{${members}}')`;
    const outcome = await run(`return [${evil}, await svc.setMetadata(${evil})];`);
    const expected = { a: {}, constructor: { prototype: { x: 1 } } };
    expect(outcome.result).to.deep.equal([expected, expected]);
    expect(JSON.stringify(outcome.result)).not.to.contain('__proto__');
    expect(Reflect.get({}, 'x')).to.equal(undefined);
  });
});
