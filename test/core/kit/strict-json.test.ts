import { expect } from 'chai';
import { JsonError, parseStrictJson, parseWithLines } from '../../../core/kit/strict-json.ts';

const VALID = [
  'null',
  'true',
  '-0.5e-3',
  '"a\\u00e9\\n\\"b\\\\"',
  '[]',
  '{}',
  ' [1, {"a": [false, "x"]} ,"" ] ',
  '{"a":{"a":1},"b":[{"a":2}]}',
  '"\\ud83d\\ude00 😀"',
  '{"":1,"toString":2}',
  '{"a:\\"b":"c:\\\\","d":{"e":[":","\\\\\\":"]}}',
  '[1e15,-0,0.1]',
];

const MALFORMED: Readonly<Record<string, number>> = {
  '': 0,
  '{': 1,
  '{"a"': 4,
  '{"a" 1}': 5,
  '{"a":1,}': 7,
  "{'a':1}": 1,
  '[1,]': 3,
  '[1 2]': 3,
  '[,]': 1,
  nul: 0,
  '01': 1,
  '1.': 1,
  '+1': 0,
  NaN: 0,
  '"\n"': 1,
  '"\\x"': 1,
  '"\\u12g4"': 1,
  '"abc': 4,
  '{} {}': 3,
  '\ufeff{}': 0,
  '[1]//': 3,
};

const REFUSED: Readonly<Record<string, { code: string; path: string[] }>> = {
  '{"a":1,"a":2}': { code: 'duplicate_key', path: ['a'] },
  '{"a:":1,"a:":2}': { code: 'duplicate_key', path: ['a:'] },
  '{"a":1,"\\u0061":2}': { code: 'duplicate_key', path: ['a'] },
  '[{"b":{"c":1,"c":1}}]': { code: 'duplicate_key', path: ['0', 'b', 'c'] },
  '{"__proto__":{}}': { code: 'invalid_key', path: ['__proto__'] },
  '{"\\u005f_proto__":{}}': { code: 'invalid_key', path: ['__proto__'] },
  '{"a":[0,{"constructor":1}]}': { code: 'invalid_key', path: ['a', '1', 'constructor'] },
  '{"prototype":1}': { code: 'invalid_key', path: ['prototype'] },
  '["\\u0000"]': { code: 'invalid_characters', path: ['0'] },
  '{"a":"\\ud800"}': { code: 'invalid_characters', path: ['a'] },
  '[1e999]': { code: 'too_big', path: ['0'] },
  [`${'['.repeat(65)}${']'.repeat(65)}`]: { code: 'too_deep', path: Array<string>(64).fill('0') },
};

describe('parseStrictJson', () => {
  for (const text of VALID) {
    it(`reads ${text} as JSON.parse does`, () => {
      expect(parseStrictJson(text)).to.deep.equal(JSON.parse(text));
    });
  }

  it('keeps numbers that JavaScript would change, and refuses those that PostgreSQL cannot hold', () => {
    for (const text of ['[17841405822304915,0.12345678901234567890]', '{"a":[1e20]}'])
      expect(JSON.stringify(parseStrictJson(text))).to.equal(text);
    expect(errorOf(`[1e-20000]`)).to.include({ code: 'too_big' });
  });

  for (const [text, position] of Object.entries(MALFORMED)) {
    it(`refuses ${JSON.stringify(text)} and names position ${position}`, () => {
      const error = errorOf(text);
      expect(error).to.include({ code: 'malformed', position });
      expect(() => JSON.parse(text)).to.throw(SyntaxError);
    });
  }

  for (const [text, { code, path }] of Object.entries(REFUSED)) {
    it(`refuses ${text.slice(0, 40)} as ${code}`, () => {
      const error = errorOf(text);
      expect({ code: error.code, path: error.path }).to.deep.equal({ code, path });
    });
  }

  it('gives the line of a member, or of the nearest value around it', () => {
    const { value, lineOf } = parseWithLines('{\n"a": [1,\n{"b": 2}],\n"c": 3}');
    expect(value).to.deep.equal({ a: [1, { b: 2 }], c: 3 });
    const lines = [['a'], ['a', 1, 'b'], ['a', 0, 'none'], ['c'], ['none']].map((path) => lineOf(path));
    expect(lines).to.deep.equal([2, 3, 2, 4, 1]);
    expect(errorOf('{"a": 1,\n"a": 2}')).to.include({ code: 'duplicate_key', line: 2 });
  });

  it('reads a long text of escapes', () => {
    const text = JSON.stringify('\n'.repeat(400_000));
    expect(parseStrictJson(text)).to.have.lengthOf(400_000);
  });
});

function errorOf(text: string): JsonError {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
