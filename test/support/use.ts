type Opened = AsyncDisposable & object;
type Open<T> = () => T | Promise<T>;

/**
 * Something that all tests of a suite share: opened before the first of them, disposed of after the last. What is opened later
 * is disposed of earlier.
 *
 * @param suite `this` of the suite
 * @returns stands for what `open` resolves with, once it has
 */
export function use<T extends Opened>(suite: Mocha.Suite, open: Open<T>): T {
  let opened: T | undefined;
  const stack = stackOf(suite, shared, (dispose) => suite.afterAll(dispose));
  suite.beforeAll(async () => {
    opened = stack.current.use(await open());
  });
  return standIn(() => opened);
}

/** The same, opened for each test anew. */
export function useEach<T extends Opened>(suite: Mocha.Suite, open: Open<T>): T {
  let opened: T | undefined;
  const stack = stackOf(suite, ofOneTest, (dispose) => suite.afterEach(dispose));
  suite.beforeEach(async () => {
    opened = stack.current.use(await open());
  });
  return standIn(() => opened);
}

function standIn<T extends Opened>(find: () => T | undefined): T {
  const current = (): T => {
    const opened = find();
    if (opened === undefined) throw new Error('it is not there before the tests of the suite begin');
    return opened;
  };
  const handler: ProxyHandler<object> = {
    get: (_, name) => memberOf(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => {
      const own = Object.hasOwn(current(), name);
      return own ? { value: memberOf(current(), name), configurable: true, enumerable: true } : undefined;
    },
  };
  return new Proxy({}, handler) as T;
}

/** Methods of a class are bound: only the instance itself has its private members. */
function memberOf(object: object, name: string | symbol): unknown {
  let holder: object | null = object;
  while (holder !== null && !Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder);
  const member: unknown = holder && holder !== object ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
  return typeof member === 'function' ? member.bind(object) : Reflect.get(object, name, object);
}

interface Stack {
  current: AsyncDisposableStack;
}

const shared = new WeakMap<Mocha.Suite, Stack>();
const ofOneTest = new WeakMap<Mocha.Suite, Stack>();

/** One for each suite, so that its order holds; `atEnd` says when it is disposed of. */
function stackOf(suite: Mocha.Suite, known: WeakMap<Mocha.Suite, Stack>, atEnd: (dispose: () => Promise<void>) => void): Stack {
  const stack = known.get(suite) ?? { current: new AsyncDisposableStack() };
  if (known.has(suite)) return stack;
  known.set(suite, stack);
  atEnd(async () => {
    const ended = stack.current;
    stack.current = new AsyncDisposableStack();
    await ended.disposeAsync();
  });
  return stack;
}
