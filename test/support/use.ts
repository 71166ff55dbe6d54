type Opened = AsyncDisposable & object;
type Open<T> = () => T | Promise<T>;

/**
 * Opens an object that all tests of a suite share before the first test, and disposes of it after the last. Several such objects
 * are disposed of in reverse order.
 *
 * @param suite `this` of the suite
 * @returns a stand-in for the opened object, which works once the object has been opened
 */
export function use<T extends Opened>(suite: Mocha.Suite, open: Open<T>): T {
  let opened: T | undefined;
  const stack = stackOf(suite, shared, (dispose) => suite.afterAll(dispose));
  suite.beforeAll(async () => {
    opened = stack.current.use(await open());
  });
  return standIn(() => opened);
}

/** Opens a new object for each test of a suite, and disposes of it after the test. @returns a stand-in, as for `use` */
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

/**
 * Returns a property of an object. Methods of its class are bound to the object, because the stand-in does not have the object's
 * private fields.
 */
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

/**
 * Returns the stack that disposes of a suite's objects. A suite has only one, so that its objects are disposed of in reverse
 * order; `atEnd` registers the disposal.
 */
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
