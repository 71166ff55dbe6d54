/**
 * Something that all tests of a suite share: opened before the first of them, disposed of after the last. What is opened later
 * is disposed of earlier.
 *
 * @param suite `this` of the suite
 * @returns stands for what `open` resolves with, once it has
 */
export function use<T extends AsyncDisposable & object>(suite: Mocha.Suite, open: () => Promise<T>): T {
  let opened: T | undefined;
  suite.beforeAll(async () => {
    opened = stackOf(suite).use(await open());
  });
  const current = (): T => {
    if (opened === undefined) throw new Error('it is not there before the tests of the suite begin');
    return opened;
  };
  const standIn: object = new Proxy(
    {},
    {
      get: (_, name) => memberOf(current(), name),
      set: (_, name, value) => Reflect.set(current(), name, value),
    },
  );
  return standIn as T;
}

/** Methods of a class are bound: only the instance itself has its private members. */
function memberOf(object: object, name: string | symbol): unknown {
  let holder: object | null = object;
  while (holder !== null && !Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder);
  const member: unknown = holder && holder !== object ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
  return typeof member === 'function' ? member.bind(object) : Reflect.get(object, name, object);
}

const stacks = new WeakMap<Mocha.Suite, AsyncDisposableStack>();

function stackOf(suite: Mocha.Suite): AsyncDisposableStack {
  const known = stacks.get(suite);
  if (known !== undefined) return known;
  const stack = new AsyncDisposableStack();
  suite.afterAll(() => stack.disposeAsync());
  stacks.set(suite, stack);
  return stack;
}
