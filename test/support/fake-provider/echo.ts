import type { EchoPlace, ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { Exchange } from '../scripted-server/scripted-server.ts';
import { readClient, readParams } from './read-params.ts';

const SECRET_PARAMS = ['client_secret', 'refresh_token', 'code', 'code_verifier', 'access_token', 'api_key', 'password'];
const SECRET_HEADERS = ['authorization', 'x-api-key'];

interface Echo {
  readonly secrets: string;
  readonly status: number;
  readonly error: string;
}

/** Returns the response of a careless provider, which repeats every secret of the request, if the behaviour asks for that. */
export function echoResponse(exchange: Exchange): ScriptedResponse | undefined {
  const { echo } = exchange.behaviour;
  if (echo === undefined) return undefined;
  return ANSWERS[echo.place]({
    secrets: secretsOf(exchange).join(' '),
    status: echo.status ?? 400,
    error: echo.error ?? 'server_error',
  });
}

const ANSWERS: Readonly<Record<EchoPlace, (echo: Echo) => ScriptedResponse>> = {
  error_body: ({ secrets, status, error }) => jsonResponse(status, { error, error_description: `refused: ${secrets}` }),
  header: ({ secrets, status, error }) => withHeader(status, error, ['x-debug', secrets]),
  redirect: ({ secrets }) => ({ status: 302, headers: { location: `/elsewhere?leak=${encodeURIComponent(secrets)}` } }),
  www_authenticate: ({ secrets, error }) => withHeader(401, error, ['www-authenticate', `Bearer error_description="${secrets}"`]),
  cookie: ({ secrets, status, error }) => withHeader(status, error, ['set-cookie', `debug=${encodeURIComponent(secrets)}`]),
  html_title: ({ secrets, status }) => ({
    status,
    headers: { 'content-type': 'text/html' },
    body: `<!doctype html><title>${secrets}</title><p>Something went wrong.`,
  }),
};

function secretsOf({ entry }: Exchange): string[] {
  const { headers } = entry;
  const params = { ...entry.params, ...readParams(entry) };
  return [
    ...SECRET_HEADERS.map((name) => String(headers[name] ?? '')),
    readClient(headers.authorization, params).secret,
    ...SECRET_PARAMS.map((name) => params[name] ?? ''),
  ].filter((secret) => secret !== '');
}

function withHeader(status: number, error: string, [name, value]: readonly [string, string]): ScriptedResponse {
  return { ...jsonResponse(status, { error }), headers: { 'content-type': 'application/json', [name]: value } };
}

export function jsonResponse(status: number, body: unknown): ScriptedResponse {
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body: JSON.stringify(body) };
}
