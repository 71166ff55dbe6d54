import { expect } from 'chai';
import { parseSource, SOURCE_FOLDERS, sourceFiles } from '../support/source-files.ts';
import { oversizes, unusual } from '../support/source-sizes.ts';

/** Generated files, which are exempt from the limits. */
const GENERATED = ['sdk/node/src/generated.ts', 'ui/dashboard/app/api-types.ts'];

const PLANTS: Readonly<Record<string, readonly [text: string, fault: string]>> = {
  'a long file': ['x;\n'.repeat(301), 'core/a.ts: 301 lines'],
  'a long function': [`function f() {${'\n'.repeat(60)}}`, 'core/a.ts:1: a function of 61 lines'],
  'a long method': [`class A {\n  b() {${'\n'.repeat(60)}}\n}`, 'core/a.ts:2: a function of 61 lines'],
  'a long test': [`describe('a', () => {\n  it('b', () => {${'\n'.repeat(60)}});\n});`, 'core/a.ts:2: a function of 61 lines'],
};
const UNUSUAL: typeof PLANTS = {
  'a long line': [`x;\n'${'x'.repeat(129)}';`, 'core/a.ts:2: 132 characters'],
  'many parameters': ['const f = (a, b, c, d) => 1;', 'core/a.ts:1: 4 parameters'],
  'deep nesting': ['function f() { if (a) for (;;) while (b) try { c(); } finally {} }', 'core/a.ts:1: statements nested 4 deep'],
};

describe('size limits', () => {
  it('are kept by all files', () => {
    const files = sourceFiles(SOURCE_FOLDERS).filter(({ path }) => !GENERATED.includes(path));
    expect(files.length).to.be.above(60);
    const faults = files.flatMap(oversizes);
    expect(faults, faults.join('\n')).to.deep.equal([]);
    for (const departure of files.flatMap(unusual)) console.warn(`      unusual: ${departure}`);
  });

  for (const [name, [text, fault]] of Object.entries(PLANTS)) {
    it(`report ${name} as an error`, () => {
      const faults = oversizes(parseSource('core/a.ts', text));
      expect(faults).to.have.length(1);
      expect(faults[0]).to.contain(fault);
    });
  }

  for (const [name, [text, departure]] of Object.entries(UNUSUAL)) {
    it(`report ${name} as a warning`, () => {
      const file = parseSource('core/a.ts', text);
      expect(oversizes(file)).to.deep.equal([]);
      expect(unusual(file)).to.have.length(1);
      expect(unusual(file)[0]).to.contain(departure);
    });
  }

  it('accept the largest allowed sizes', () => {
    const withinLimits = [
      `function f(a, b, c) {${'\n'.repeat(59)}}`,
      `describe('a', () => {${'\n'.repeat(100)}});`,
      'function f() { if (a) {} else if (b) {} else if (c) { for (;;) while (d) g(() => { if (e) h(); }); } }',
      `'${'x'.repeat(127)}';\n`,
    ];
    const files = withinLimits.map((text) => parseSource('core/a.ts', text));
    expect(files.flatMap((file) => [...oversizes(file), ...unusual(file)])).to.deep.equal([]);
  });
});
