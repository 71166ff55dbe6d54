/**
 * This script runs inside the sandbox. It returns a line for everything that a script can reach by reflection alone, from its
 * global, its arguments and the errors that it meets. Each line has the first path to the thing, and its kind.
 */
const FOREIGN = 'FOREIGN';

export default async function (svc, event) {
  const seen = new Map();
  const waiting = [];
  const visit = (value, path) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.set(value, `${path}: ${kindOf(value)}`);
    waiting.push([value, path]);
  };
  for (const [name, root] of Object.entries({ globalThis, svc, event, ...(await findings(svc)) })) visit(root, name);
  for (const root of syntaxRoots()) visit(root, 'syntax');
  while (waiting.length > 0) {
    const [value, path] = waiting.shift();
    visit(Object.getPrototypeOf(value), `${path}.[[Prototype]]`);
    for (const key of Reflect.ownKeys(value)) {
      const { value: member, get, set } = Object.getOwnPropertyDescriptor(value, key);
      const name = `${path}.${String(key)}`;
      visit(member, name);
      visit(get, `get ${name}`);
      visit(set, `set ${name}`);
    }
  }
  return [...seen.values()];
}

/** Returns objects that exist only after something was run: promises, errors and results of host functions. */
async function findings(svc) {
  const refused = await svc.getConnection().catch((error) => error);
  const overflow = await (async () =>
    (function down() {
      down();
    })())().catch((error) => error);
  const notPlain = await svc.setMetadata({ a: 1n }).catch((error) => error);
  const notAvailable = await import('node:fs').catch((error) => error);
  const sites = sitesOf();
  const timer = setTimeout(() => {}, 0);
  return {
    promise: svc.getMetadata(),
    answer: await svc.getMetadata(),
    refused,
    overflow,
    notPlain,
    notAvailable,
    sites,
    timer,
    url: new URL('https://a.example/?b=c'),
    meta: import.meta,
    receiver: (function () {
      return this;
    })(),
    caller: (() => {
      try {
        return (function () {
          // biome-ignore lint/complexity/noArguments: the arguments object is what this test inspects
          return arguments;
        })(1);
      } catch (error) {
        return error;
      }
    })(),
  };
}

/** Returns what V8 passes to `prepareStackTrace` for each frame, including frames of the guest. */
function sitesOf() {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (_error, sites) =>
    sites.map((site) => ({
      this: site.getThis(),
      function: site.getFunction(),
      type: site.getTypeName(),
      file: site.getFileName(),
      origin: site.getEvalOrigin(),
    }));
  const { stack } = new Error('a');
  Error.prepareStackTrace = before;
  return stack;
}

/** Returns objects whose constructors have no name in the global. */
function syntaxRoots() {
  return [
    () => {},
    async () => {},
    function* () {},
    async function* () {},
    [][Symbol.iterator](),
    new Map().entries(),
    new Set().values(),
    'a'[Symbol.iterator](),
    'a'.matchAll(/a/g),
    /a/,
    1n,
    new Proxy({}, {}),
    class {},
    [].values().map((a) => a),
    new Intl.Segmenter().segment('a'),
    Iterator.from({ next() {} }),
  ].map(Object);
}

function kindOf(value) {
  const kind = typeof value === 'function' ? `function/${value.length}` : Object.prototype.toString.call(value).slice(8, -1);
  return isOurs(value) ? kind : `${FOREIGN} ${kind}`;
}

/**
 * Returns whether a value is of this realm. An object of another realm would have that realm's prototype at the end of its chain.
 */
function isOurs(value) {
  if (typeof value === 'function' && !(value instanceof Function) && value !== Function.prototype) return false;
  let last = value;
  for (let next = value; next !== null; next = Object.getPrototypeOf(next)) last = next;
  return last === Object.prototype || Object.getPrototypeOf(value) === null;
}
