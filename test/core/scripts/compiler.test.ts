import { expect } from 'chai';
import { ServiceError } from '../../../core/errors.ts';
import { Compiler } from '../../../core/scripts/compiler.ts';
import type { Language } from '../../../core/scripts/event.ts';

const HONEST = 'export default async (svc: object) => svc;';

/** Sources that hang or crash a parser. */
const HOSTILE: Readonly<Record<string, readonly [language: Language, source: string]>> = {
  'what the stripper tries again for every bracket': ['typescript', `const x = ${'<T>(a = '.repeat(30)}b${')'.repeat(30)};`],
  'brackets beyond the stack': ['typescript', `const x = ${'('.repeat(50_000)}b${')'.repeat(50_000)};`],
  'lists beyond the stack': ['typescript', `const x = ${'['.repeat(100_000)}${']'.repeat(100_000)};`],
  'types beyond the stack': ['typescript', `type X = ${'Array<'.repeat(20_000)}1${'>'.repeat(20_000)};`],
  'brackets beyond the stack, in JavaScript': ['javascript', `const x = ${'('.repeat(100_000)}b${')'.repeat(100_000)};`],
  'an expression beyond the stack': ['javascript', `/${'('.repeat(100_000)}${')'.repeat(100_000)}/;`],
  'additions beyond the stack': ['javascript', `export default () => ${'1+'.repeat(120_000)}1;`],
};

describe('the compiler', () => {
  const compiler = new Compiler();
  const read = (source: string, language: Language = 'typescript', by = compiler) =>
    by.compile({ event: 'validate-connection', language, source });

  /** Returns the error with which the work is refused. @throws any other error of the work */
  const refusal = async (work: Promise<unknown>): Promise<ServiceError> => {
    try {
      await work;
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
    return expect.fail('the source was accepted');
  };

  it('reports where the source is wrong', async () => {
    const error = await refusal(read('export default () => {\n  const a: = 1;\n};'));
    expect(error.code).to.equal('invalid_body');
    expect(error.message).to.match(/^the script does not compile: line 2, column 12: /);
    expect(error.details).to.have.length(1);
    expect(error.details[0]).to.deep.include({ code: 'syntax_error', path: ['source'] });
    expect(error.details[0]?.message).to.match(/^line 2, column 12: /);
  });

  it('reports every fault', async () => {
    const error = await refusal(read("import a from 'a';\nimport b from 'b';"));
    expect(error.message).to.match(/and more$/);
    expect(error.details.map(({ path }) => path)).to.deep.equal([['source'], ['source']]);
  });

  for (const [what, [language, source]] of Object.entries(HOSTILE)) {
    it(`is neither held up nor harmed by ${what}`, async () => {
      const impatient = new Compiler({ timeLimitMs: 1_500 });
      const started = performance.now();
      const work = read(source, language, impatient).then(
        () => 'taken',
        (error: unknown) => (error instanceof ServiceError ? error.code : error),
      );
      const lag = await longestLag(work);
      expect(await work).to.be.oneOf(['invalid_body', 'taken']);
      expect(performance.now() - started).to.be.below(7_500);
      // The compiler's thread computes all the while. With two cores, the machine may give this thread its turn late, but never
      // this late.
      expect(lag).to.be.below(1_000);
      expect((await read(HONEST)).code).to.contain('async');
    });
  }

  it('gives up on a source that takes too long, and reports that', async () => {
    const [, source] = HOSTILE['what the stripper tries again for every bracket'] ?? expect.fail();
    const error = await refusal(read(source, 'typescript', new Compiler({ timeLimitMs: 500 })));
    expect(error.details[0]?.code).to.equal('source_not_readable');
    expect(error.message).to.contain('too long');
  });

  it('does not make an environment wait for the many sources of another', async () => {
    const impatient = new Compiler({ timeLimitMs: 3_000 });
    const hard = `const x = ${'<T>(a = '.repeat(30)}b${')'.repeat(30)};`;
    const compile = (source: string, environmentId: number) =>
      impatient.compile({ event: 'validate-connection', language: 'typescript', source }, environmentId);
    let refused = 0;
    const many = Array.from({ length: 2 }, () => refusal(compile(hard, 1)).then(() => (refused += 1)));
    await compile(HONEST, 2);
    expect(refused).to.be.below(2);
    await Promise.all(many);
  });

  it('prints nothing, because the warning of the type stripper stays in its thread', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    await read(HONEST);
    process.off('warning', note);
    expect(warnings).to.deep.equal([]);
  });
});

/** Returns the longest time, in milliseconds, for which the event loop was blocked until the work ended. */
async function longestLag(work: Promise<unknown>): Promise<number> {
  const STEP_MS = 10;
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - STEP_MS);
    last = now;
  }, STEP_MS);
  await work;
  clearInterval(timer);
  return longest;
}
