/** Scripts that use up all memory that they can get, inside and outside V8's heap. */
export const GREEDY: Readonly<Record<string, string>> = {
  'arrays of arrays': 'const all = []; for (;;) all.push(new Array(1e5).fill(1));',
  'one array of a thousand million': 'return Array(1e9).fill(0).length;',
  'objects in a map': 'const all = new Map(); for (let at = 0; ; at += 1) all.set(at, { at });',
  'a set of texts': 'const all = new Set(); for (let at = 0; ; at += 1) all.add(`text number ${at}`);',
  'long texts': 'const all = []; for (let at = 0; ; at += 1) all.push([..."x".repeat(1e5)].join(at));',
  'a text cut into characters': 'return "x".repeat(5e8).split("").length;',
  'a text of a text of a text': 'const all = []; for (;;) all.push(JSON.stringify("\\u0000".repeat(1e6)));',
  'closures that hold closures': 'let last = () => 0; for (;;) { const held = last; last = () => held; }',
  'promises that wait for each other': 'const all = []; for (;;) all.push(new Promise(() => {}));',
  'a flood of promises': 'const all = []; for (let at = 0; ; at += 1) all.push(Promise.resolve(at).then((one) => [one]));',
  'microtasks with luggage':
    'const more = (luggage) => Promise.resolve([luggage, new Array(1e3).fill(0)]).then(more); await more();',
  'bytes outside the heap': 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));',
  'big integers': 'const all = []; for (let at = 1n; ; at += 1n) all.push(2n ** 1000000n + at);',
  'promises that resolve to promises': 'const more = () => Promise.resolve().then(more); await more();',
  'formats of dates': 'for (;;) new Intl.DateTimeFormat("de").format(0);',
  'a result too long for a text': 'const one = "x".repeat(5e8); return [one, one];',
  'an error with 100 MB of text': 'throw new Error("x".repeat(1e8));',
  'a pattern with many matches': 'const all = []; for (;;) all.push("ab".repeat(1e5).match(/a/g));',
  'an array that is flattened': 'let all = [1, 2]; for (;;) all = [all, all].flat(Infinity);',
  'generators that are kept':
    'const all = []; function* one() { yield new Array(100).fill(1); } for (;;) { const it = one(); it.next(); all.push(it); }',
  'errors with stacks': 'const all = []; for (;;) all.push(new Error("x".repeat(100)));',
  'a result of 200 MB': 'return "x".repeat(1e5).split("").map(() => "y".repeat(2e3) + Math.random());',
  'a spread that never ends': 'return [...{ *[Symbol.iterator]() { for (let at = 0; ; at += 1) yield { at }; } }].length;',
  'memory in the log': 'const all = []; for (;;) { all.push("x".repeat(1e5) + all.length); svc.log(all); }',
};
