import type { Cause } from '../../../scripts-runtime/script-run.ts';

type Ending = readonly [cause: Cause | 'done', source: string];

/** Scripts whose results, errors or calls have a wrong size or kind, each with the expected cause of its end. */
export const ODD: Readonly<Record<string, Ending>> = {
  'a result of two megabytes': ['result_too_large', 'return "x".repeat(2e6);'],
  'a result of characters that take three bytes': ['result_too_large', 'return "€".repeat(5e5);'],
  'a list of a million zeroes': ['result_too_large', 'return Array(1e6).fill(0);'],
  'a big integer': ['result_not_plain', 'return 10n;'],
  'a circle': ['result_not_plain', 'const all = {}; all.all = all; return all;'],
  'a result nested 5,000 deep': [
    'result_not_plain',
    'let all = []; for (let at = 0; at < 5e3; at += 1) all = [all]; return all;',
  ],
  'a result nested 200 deep': ['result_not_plain', 'let all = []; for (let at = 0; at < 200; at += 1) all = [all]; return all;'],
  'a result nested past the stack': [
    'result_not_plain',
    'let all = []; for (let at = 0; at < 5e4; at += 1) all = [all]; return all;',
  ],
  'a result whose getter throws': ['result_not_plain', 'return { get a() { throw new Error("no"); } };'],
  'an error in the words of one for which there is no memory': [
    'script_error',
    'throw new Error("Array buffer allocation failed");',
  ],
  'a result whose getter says that a text is too long': [
    'result_not_plain',
    'return { get a() { throw new RangeError("Invalid string length"); } };',
  ],
  'a revoked proxy': ['result_not_plain', 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return [proxy];'],
  'a proxy without end': [
    'result_not_plain',
    `const descriptor = { enumerable: true, configurable: true, value: 1 };
    const all = new Proxy({}, { get: () => all, ownKeys: () => ["a"], getOwnPropertyDescriptor: () => descriptor });
    return { all };`,
  ],
  'a thrown text of a megabyte': ['script_error', 'throw "x".repeat(1e6);'],
  'a thrown nothing': ['script_error', 'throw null;'],
  'a thrown symbol': ['script_error', 'throw Symbol("a");'],
  'a thrown proxy': ['script_error', 'throw new Proxy({}, { get() { throw new Error("no"); }, getPrototypeOf() { throw 1; } });'],
  'an error with ten megabytes of text': ['script_error', 'throw new Error("x".repeat(1e7));'],
  'an error that pretends to be a refusal': ['script_error', 'throw Object.assign(new Error("a"), { name: "ScriptError" });'],
  'an error of errors': ['script_error', 'throw new AggregateError([new Error("a")], "b", { cause: new Error("c") });'],
  'an overflow of the stack': ['script_error', 'const down = () => down(); down();'],
  'bytes that are too many at once': ['script_error', 'return new Uint8Array(2e9).length;'],
  'arguments of two megabytes': ['script_error', 'await svc.setMetadata({ a: "x".repeat(2e6) });'],
  'arguments that are a circle': ['script_error', 'const all = {}; all.all = all; await svc.setMetadata(all);'],
  'a thousand calls at a time': ['script_error', 'await Promise.all(Array.from({ length: 1000 }, () => svc.getConnection()));'],
  'calls without end': ['too_many_calls', 'for (;;) await svc.getMetadata();'],
  'a thousand timers': ['script_error', 'for (let at = 0; at < 1000; at += 1) setTimeout(() => {}, 1e6);'],
  'a syntax error': ['syntax_error', 'return return;'],
  'a module with an import': ['import_refused', 'module: import fs from "node:fs"; export default () => fs;'],
  'a module that passes on another': ['import_refused', 'module: export * from "node:fs"; export default 1;'],
  'an import of our own module': ['import_refused', 'module: import { boot } from "./guest.js"; export default () => boot;'],
  'an import while it runs': ['script_error', 'await import("node:fs");'],
  'an import of our own module while it runs': ['script_error', 'await import("./guest.js");'],
  'a wait at the top level': ['script_error', 'module: await new Promise(() => {}); export default () => 1;'],
  'no export': ['entry_missing', 'module: const a = 1;'],
  require: ['script_error', 'return require("fs");'],
  'a patched JSON': ['done', 'JSON.stringify = () => { throw 1; }; JSON.parse = JSON.stringify; return await svc.getMetadata();'],
  'a patched Promise': ['done', 'Promise.prototype.then = function () { throw 1; }; globalThis.Promise = null; return 1;'],
  'a patched Array and Object': [
    'done',
    'Array.prototype.push = Array.prototype.map = Object.prototype.toString = null; return [1];',
  ],
  'numbered members on every object': [
    'done',
    'Object.prototype[0] = "a"; Object.prototype.status = 500; return await svc.getMetadata();',
  ],
  'setters on every object': [
    'done',
    `for (const name of ["resolve", "reject", "1", "2"]) {
      Object.defineProperty(Object.prototype, name, { set() { throw 1; }, get() {}, configurable: true });
    }
    return await svc.getMetadata();`,
  ],
  'a frozen global': ['done', 'Object.freeze(globalThis); return await svc.getMetadata();'],
};
