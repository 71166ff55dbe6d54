import { isObject, type ProviderPlugin } from '#contract';

/** A hook that failed, with the error that it threw. */
export interface HookFailure {
  /** Part and name, e.g. `connection.verify`. */
  readonly hook: string;
  readonly error: unknown;
}

type ResultCheck = (result: unknown) => boolean;
interface HookShape {
  readonly isRight: ResultCheck;
  /** Description of the result that is required. */
  readonly wanted: string;
}

const isTokenSet: ResultCheck = (result) =>
  isObject(result) && typeof result['accessToken'] === 'string' && isObject(result['raw']);
const TOKENS: HookShape = { isRight: isTokenSet, wanted: 'tokens: {accessToken, raw, refreshToken?, expiresAt?}' };
const OBJECT: HookShape = {
  isRight: (result) => isObject(result) && !Array.isArray(result),
  wanted: 'an object, {} if there is nothing',
};

/** The results that hooks must return; types are not checked at run time. */
const SHAPES: Readonly<Record<string, HookShape>> = {
  'auth.authorizationParams': {
    isRight: (result) => isObject(result) && Object.values(result).every((value) => typeof value === 'string'),
    wanted: 'an object whose values are strings',
  },
  'auth.readTokens': TOKENS,
  'auth.exchange': TOKENS,
  'auth.authenticate': TOKENS,
  'auth.refresh': TOKENS,
  'auth.refreshable': { isRight: (result) => typeof result === 'boolean', wanted: 'true or false' },
  'connection.afterAuthorization': OBJECT,
  'connection.identify': {
    isRight: (result) => result === undefined || (isObject(result) && ['string', 'number'].includes(typeof result['id'])),
    wanted: 'an account with an id, or undefined',
  },
  'proxy.decorate': { isRight: (result) => isObject(result) && result['url'] instanceof URL, wanted: '{method, url, headers}' },
  'proxy.sign': OBJECT,
  'subscriptions.subscribe': OBJECT,
};

/** A hook returned something other than the contract says. */
class WrongShape extends Error {
  override readonly name = 'WrongShape';
}

/**
 * Returns the same plugin, which reports when one of its hooks throws or returns something of the wrong shape. Elsewhere the
 * error of a hook is hidden or replaced, since it may quote secrets.
 */
export function watchedPlugin(plugin: ProviderPlugin, onFailure: (failure: HookFailure) => void): ProviderPlugin {
  const parts = Object.entries(plugin).map(([part, members]) => {
    if (!isObject(members) || part === 'webhook') return [part, members] as const;
    const watched = Object.entries(members).map(([name, member]) => {
      const hook = `${part}.${name}`;
      return [name, typeof member === 'function' ? watchedHook(hook, member.bind(members), onFailure) : member] as const;
    });
    return [part, Object.fromEntries(watched)] as const;
  });
  return Object.fromEntries(parts) as unknown as ProviderPlugin;
}

function watchedHook(hook: string, run: (...args: unknown[]) => unknown, onFailure: (failure: HookFailure) => void) {
  const fail = (error: unknown): never => {
    onFailure({ hook, error });
    throw error;
  };
  const checked = (result: unknown): unknown => {
    const shape = SHAPES[hook];
    if (shape === undefined || shape.isRight(result)) return result;
    return fail(new WrongShape(`${hook} must return ${shape.wanted}, and returned ${kindOf(result)}`));
  };
  return (...args: unknown[]): unknown => {
    let result: unknown;
    try {
      result = run(...args);
    } catch (error) {
      return fail(error);
    }
    return result instanceof Promise ? result.then(checked, fail) : checked(result);
  };
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? `an object with ${Object.keys(value).join(', ') || 'no fields'}` : `a ${typeof value}`;
}
