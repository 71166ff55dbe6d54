import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { Middleware, MiddlewareRequest } from './libraries.ts';

/**
 * Returns the response of the first middleware that sends one, or undefined when all pass the request on.
 *
 * @throws the error that a middleware passes on
 */
export async function runMiddleware(
  middlewares: readonly Middleware[],
  request: MiddlewareRequest,
): Promise<ScriptedResponse | undefined> {
  for (const middleware of middlewares) {
    const response = await runOne(middleware, request);
    if (response !== undefined) return response;
  }
  return undefined;
}

function runOne(middleware: Middleware, request: MiddlewareRequest): Promise<ScriptedResponse | undefined> {
  return new Promise((resolve, reject) => {
    const headers = new Map<string, string>();
    const response = {
      setHeader: (name: string, value: string) => void headers.set(name, value),
      end: (body = '') => resolve({ status: 200, headers: Object.fromEntries(headers), body }),
      redirect: (location: string) => resolve({ status: 302, headers: { location } }),
    };
    middleware(request, response, (error) => (error === undefined ? resolve(undefined) : reject(error)));
  });
}
