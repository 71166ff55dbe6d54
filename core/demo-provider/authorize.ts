import { randomUUID } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import { hashSecret } from '../kit/random-id.ts';
import type { Reply } from '../server/route.ts';
import { messagePage, signInPage } from './authorize-page.ts';
import { CLIENT_ID } from './client.ts';
import type { Decision, DemoProviderDeps } from './deps.ts';
import { flowOfState } from './flow-store.ts';
import { type DemoUser, personOf, signIn } from './people.ts';
import { requirePlayground } from './refusal.ts';
import { OUTCOMES, seal, unseal } from './tokens.ts';

const MAX_SLOW_MS = 10_000;
/** Matches an error code (RFC 6749 §4.1.2.1). */
const ERROR = /^[a-z_]{1,40}$/;

const PAGE_SECONDS = 3_600;
const CODE_SECONDS = 60;
const CHALLENGE = /^[\w-]{43}$/;

/** Shown instead of a redirect to the callback when the client or the request is unknown (RFC 6749 §4.1.2.1). */
const STRANGE = 'The service did not send you to this address. Start again in the app that you came from.';
const PRODUCTION = 'The sandbox is for trying things out. It does nothing for production environments.';

/** `GET /authorize`: the page on which a person signs in and allows access (RFC 6749 §4.1.1). */
export async function showAuthorization(deps: DemoProviderDeps, query: URLSearchParams): Promise<Reply> {
  const switches = readSwitches(query);
  const state = query.get('state') ?? '';
  if (query.get('client_id') !== CLIENT_ID || query.get('redirect_uri') !== callbackOf(deps)) return stranger(deps);
  const flow = await flowOfState(deps.db, hashSecret(state));
  if (flow === undefined) return stranger(deps);
  if (flow.isProduction) return messagePage(deps.baseUrl, { status: 403, text: PRODUCTION });
  if (switches.slowMs > 0) await deps.wait(switches.slowMs);

  const challenge = query.get('code_challenge') ?? '';
  const isWhole =
    query.get('response_type') === 'code' && query.get('code_challenge_method') === 'S256' && CHALLENGE.test(challenge);
  const error = isWhole ? switches.error : 'invalid_request';
  if (error !== undefined) return withSwitches(back(deps, { state, error }), switches);
  const request = seal(deps.keys, 'request', {
    environmentId: flow.environmentId,
    state,
    scope: query.get('scope') ?? '',
    challenge,
    coop: switches.coop,
    expiresAt: secondsFromNow(deps, PAGE_SECONDS),
  });
  return withSwitches(signInPage(deps.baseUrl, { request }), switches);
}

/** `POST /authorize`: handles the person's decision. */
export async function decideAuthorization(deps: DemoProviderDeps, { form, site }: Decision): Promise<Reply> {
  const sealed = form.get('request') ?? '';
  const request = unseal({ keys: deps.keys, now: deps.clock.now() }, 'request', sealed);
  // This prevents a page of another site from pressing the button on the person's behalf.
  if (request === undefined || (site !== undefined && site !== 'same-origin')) return stranger(deps);
  await requirePlayground(deps.db, request.environmentId);
  const { state, scope, challenge, environmentId, coop } = request;
  const switches = { coop, slowMs: 0, error: undefined };
  if (form.get('decision') !== 'allow') return withSwitches(back(deps, { state, error: 'access_denied' }), switches);
  const person = whoSignsIn(form);
  if (person === undefined) return withSwitches(signInPage(deps.baseUrl, { request: sealed, isWrong: true }), switches);
  const code = seal(deps.keys, 'code', {
    environmentId,
    grantId: randomUUID(),
    personId: person.id,
    scope,
    challenge,
    outcome: OUTCOMES.find((one) => one === form.get('outcome')) ?? 'works',
    expiresAt: secondsFromNow(deps, CODE_SECONDS),
  });
  return withSwitches(back(deps, { state, code }), switches);
}

function whoSignsIn(form: URLSearchParams): DemoUser | undefined {
  const username = form.get('username') ?? '';
  return username === '' ? personOf(form.get('person')) : signIn(username, form.get('password') ?? '');
}

export function callbackOf({ baseUrl }: { readonly baseUrl: string }): string {
  return `${baseUrl}/oauth/callback`;
}

export function secondsFromNow({ clock }: { readonly clock: Clock }, seconds: number): number {
  return Math.ceil(clock.now().getTime() / 1_000) + seconds;
}

/** Redirects to the service's callback with the response (RFC 6749 §4.1.2, RFC 9207 §2). */
function back(deps: { readonly baseUrl: string }, response: Readonly<Record<string, string>>): Reply {
  const query = new URLSearchParams({ ...response, iss: deps.baseUrl });
  return { status: 303, headers: { location: `${callbackOf(deps)}?${query}` } };
}

function stranger({ baseUrl }: { readonly baseUrl: string }): Reply {
  return messagePage(baseUrl, { status: 400, text: STRANGE });
}

function withSwitches(reply: Reply, { coop }: Switches): Reply {
  return coop ? { ...reply, headers: { ...reply.headers, 'cross-origin-opener-policy': 'same-origin' } } : reply;
}

/** Options of the authorization page for tests, passed as additional parameters of its URL. */
interface Switches {
  /** Sends `Cross-Origin-Opener-Policy: same-origin`, which cuts the page off from the window that opened it. */
  readonly coop: boolean;
  /** The page is not shown: the person is immediately redirected to the callback with this error. */
  readonly error: string | undefined;
  readonly slowMs: number;
}

function readSwitches(query: URLSearchParams): Switches {
  const error = query.has('deny') ? 'access_denied' : (query.get('error') ?? undefined);
  const slowMs = Number(query.get('slow') ?? 0);
  return {
    coop: query.get('coop') === 'same-origin',
    error: error !== undefined && ERROR.test(error) ? error : undefined,
    slowMs: slowMs > 0 ? Math.min(slowMs, MAX_SLOW_MS) : 0,
  };
}
