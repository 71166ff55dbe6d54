/**
 * Run inside the sandbox: a line for everything that a script can reach from its global, its arguments and the errors it meets, by
 * reflection alone: the first way to it, and what it is.
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

/** Objects that only come of running something: promises, errors and answers of helpers. */
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
          // biome-ignore lint/complexity/noArguments: it is what is looked at
          return arguments;
        })(1);
      } catch (error) {
        return error;
      }
    })(),
  };
}

/** What V8 tells `prepareStackTrace` of each frame, ours among them. */
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

/** Constructors that have no name in the global. */
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

/** Another realm's object would have another realm's prototype at its end. */
function isOurs(value) {
  if (typeof value === 'function' && !(value instanceof Function) && value !== Function.prototype) return false;
  let last = value;
  for (let next = value; next !== null; next = Object.getPrototypeOf(next)) last = next;
  return last === Object.prototype || Object.getPrototypeOf(value) === null;
}
