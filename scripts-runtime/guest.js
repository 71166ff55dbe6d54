/**
 * This module is loaded into every isolate before the user's script. Its top-level bindings are private, and globals that it uses
 * later are saved here, before the script can replace them. It is no security boundary: with `send` a script could only send
 * messages, and the parent validates each of them.
 */
import { ALLOWED_WEB, makeWeb } from './guest-web.js';

/** All other globals of V8 are deleted before the user's code runs. */
const ALLOWED = Object.freeze(
  `Infinity NaN undefined globalThis Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError
  JSON Math Intl Map Set WeakMap WeakSet Proxy Reflect Iterator DisposableStack AsyncDisposableStack
  ArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array
  Uint8ClampedArray Float16Array Float32Array Float64Array
  parseFloat parseInt isFinite isNaN decodeURI decodeURIComponent encodeURI encodeURIComponent`.split(/\s+/),
);

const TOP_LEVEL_LIMITS = { openTimers: 10, logLines: 50, logLineLength: 1_000 };
const FACT_LIMIT = 100;
const MESSAGE_LIMIT = 2_000;
const STACK_LIMIT = 2_000;
/** Matches the lines of a stack trace that are in the script. */
const SCRIPT_PLACE = /script\.js:\d+:\d+/;

const { create, freeze, defineProperty } = Object;
const { ownKeys, deleteProperty, apply } = Reflect;
const { parse, stringify } = JSON;
const { slice, split, indexOf } = String.prototype;
const { test } = RegExp.prototype;
const NativeError = Error;
const NativePromise = Promise;
const text = String;

let send;
/** The current limits: those for the top level of a script, until a run sets its own. */
let limits = TOP_LEVEL_LIMITS;
let exported;
let nextId = 1;
let logLines = 0;
const open = { calls: 0, timers: 0 };
/** Pending calls and timers, by ID. The object has no prototype, so it has no inherited names. */
const waiting = create(null);

/** An error that scripts throw on purpose, and that functions of `svc` throw on failure. */
class ScriptError extends NativeError {
  #isOurs = true;
  static isInstance = (value) => #isOurs in value;

  constructor(message, { status, code, response, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    for (const [name, value] of [
      ['status', status],
      ['code', code],
      ['response', response],
    ]) {
      if (value !== undefined) defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
    }
  }
}
const isScriptError = ScriptError.isInstance;
delete ScriptError.isInstance;
defineProperty(ScriptError.prototype, 'name', { value: 'ScriptError', writable: true, configurable: true });

/** The child calls this once, with the only two functions that lead out of the isolate. */
export function boot(sendMessage, native) {
  send = sendMessage;
  for (const key of ownKeys(globalThis)) {
    if (!ALLOWED.includes(key)) deleteProperty(globalThis, key);
  }
  const web = makeWeb({ native, startTimer, stopTimer, report: (error) => log('error', readable(error)) });
  for (const name of ALLOWED_WEB) hide(globalThis, name, web[name]);
  hide(globalThis, 'console', makeConsole());
}

/** The module that imports the script calls this, after the script's top level. */
export function begin(namespace) {
  exported = namespace;
}

/** Runs an export. Sends `done` or `failed` in any case. */
export async function run(entry, inputText) {
  const input = parse(inputText);
  limits = input.limits;
  try {
    if (exported === undefined) throw new NativeError('the script waits at its top level; wait inside its function instead');
    const value = exported[entry];
    if (value === undefined) return fail('entry_missing', { name: 'Error', message: `the script does not export ${entry}` });
    finish(typeof value === 'function' ? await apply(value, undefined, [makeSvc(input.facts), ...input.args]) : value);
  } catch (error) {
    fail('script_error', errorFacts(error));
  }
}

/** Completes a call or a timer. */
export function resume(id, isGood, body) {
  const { resolve, reject } = waiting[id] ?? {};
  if (resolve === undefined) return;
  forget(id);
  const value = body === '' ? undefined : parse(body);
  if (isGood) resolve(value);
  else reject(new ScriptError(value.message, value));
}

function finish(value) {
  let body;
  try {
    body = stringify(value) ?? '';
  } catch (error) {
    return fail('result_not_plain', errorFacts(error));
  }
  if (body.length > limits.resultBytes) {
    return fail('result_too_large', { name: 'Error', message: `the result is larger than ${limits.resultBytes} bytes` });
  }
  send('done', 0, '', body);
}

function fail(cause, facts) {
  send('failed', 0, cause, stringify(facts));
}

function makeSvc(facts) {
  const caller =
    (name) =>
    (...args) =>
      call(name, args);
  const withMethod = (method) => (request) => proxy({ ...request, method });
  return freeze({
    ...facts,
    getIntegration: caller('getIntegration'),
    getConnection: caller('getConnection'),
    getMetadata: caller('getMetadata'),
    setMetadata: caller('setMetadata'),
    updateMetadata: caller('updateMetadata'),
    getVariable: caller('getVariable'),
    proxy,
    get: withMethod('GET'),
    post: withMethod('POST'),
    put: withMethod('PUT'),
    patch: withMethod('PATCH'),
    delete: withMethod('DELETE'),
    log: (message, facts) => log('info', readable(message), facts),
    console: globalThis.console,
    ScriptError,
  });
}

async function proxy(request) {
  const response = await call('proxy', [request]);
  if (response.status < 400) return response;
  const { status } = response;
  throw new ScriptError(`the provider responded with ${status}`, { status, code: 'provider_error', response });
}

function call(name, args) {
  return new NativePromise((resolve, reject) => {
    const body = stringify(args);
    if (body.length > limits.callBytes) throw tooLarge(limits.callBytes);
    send('call', wait('calls', limits.openCalls, { resolve, reject }), name, body);
  });
}

function startTimer(ms, wake) {
  const id = wait('timers', limits.openTimers, { resolve: wake, reject: wake });
  send('timer', id, text(ms), '');
  return id;
}

function stopTimer(id) {
  if (waiting[id]?.kind !== 'timers') return;
  forget(id);
  send('timer', id, '', '');
}

function wait(kind, most, { resolve, reject }) {
  if (open[kind] >= most) throw new ScriptError(`more than ${most} ${kind} at a time`, { code: `too_many_${kind}` });
  open[kind] += 1;
  const id = nextId++;
  waiting[id] = { kind, resolve, reject };
  return id;
}

function forget(id) {
  open[waiting[id].kind] -= 1;
  delete waiting[id];
}

function tooLarge(bytes) {
  return new ScriptError(`the arguments are larger than ${bytes} bytes`, { code: 'call_too_large' });
}

function makeConsole() {
  const printer =
    (level) =>
    (...values) =>
      log(level, values.map(readable).join(' '));
  const info = printer('info');
  return freeze({ log: info, info, debug: printer('debug'), warn: printer('warn'), error: printer('error') });
}

/** Sends one line beyond the limit, so that the parent adds its note. */
function log(level, message, facts) {
  if (logLines > limits.logLines) return;
  logLines += 1;
  send('log', 0, '', stringify({ level, message: cut(message, limits.logLineLength), facts: plainFacts(facts) }));
}

function plainFacts(facts) {
  if (facts === undefined) return undefined;
  try {
    const body = stringify(facts);
    return body === undefined || body.length <= limits.logLineLength ? facts : cut(body, limits.logLineLength);
  } catch {
    return '(not plain data)';
  }
}

function readable(value) {
  if (typeof value === 'string') return value;
  try {
    if (value instanceof NativeError) return `${value.name}: ${value.message}`;
    return typeof value === 'object' ? (stringify(value) ?? text(value)) : text(value);
  } catch {
    return '(not readable)';
  }
}

function cut(value, limit) {
  return value.length <= limit ? value : `${apply(slice, value, [0, limit])}… (cut, ${value.length} characters)`;
}

/** Describes any thrown value in a few short strings. This may call getters of the script, within the limits of the run. */
function errorFacts(error) {
  try {
    if (typeof error !== 'object' || error === null) return { name: 'Thrown', message: cut(readable(error), MESSAGE_LIMIT) };
    const isOurs = isScriptError(error);
    return {
      name: isOurs ? 'ScriptError' : nameOf(error),
      message: messageOf(error),
      status: typeof error.status === 'number' ? error.status : undefined,
      code: typeof error.code === 'string' ? cut(error.code, FACT_LIMIT) : undefined,
      stack: scriptPlaces(error.stack),
    };
  } catch {
    return { name: 'Error', message: 'the script threw something that cannot be read' };
  }
}

function messageOf(error) {
  const message = cut(text(error.message ?? readable(error)), MESSAGE_LIMIT);
  // This is V8's message for `import()` without a host callback.
  return message === 'Not supported' ? 'import() is not available in scripts' : message;
}

/** Reserves the name `ScriptError`, whose message is shown to end users. */
function nameOf(error) {
  const name = cut(text(error.name ?? 'Error'), FACT_LIMIT);
  return name === 'ScriptError' ? 'Error' : name;
}

function scriptPlaces(stack) {
  if (typeof stack !== 'string') return undefined;
  const lines = apply(split, apply(slice, stack, [0, STACK_LIMIT * 2]), ['\n']);
  let places = '';
  for (let at = 0; at < lines.length; at += 1) {
    if (apply(test, SCRIPT_PLACE, [lines[at]]) && apply(indexOf, lines[at], ['    at ']) === 0) {
      places += `${apply(slice, lines[at], [7])}\n`;
    }
  }
  return places === '' ? undefined : cut(places, STACK_LIMIT);
}

function hide(target, name, value) {
  defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}
