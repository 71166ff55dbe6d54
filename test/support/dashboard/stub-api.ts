import type { BrowserContext, Route } from 'playwright-core';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Me } from '../../../ui/dashboard/app/replies.ts';

/** Stubbed responses of the dashboard's API, by the path below `/api/ui/`; a method other than GET precedes the path. */
export type StubbedApi = Readonly<Record<string, Answer>>;

/** A response body, a refusal, or a function that returns one of them for a request. */
type Answer = object | Refusal | ((request: { readonly body: unknown; readonly query: URLSearchParams }) => object | Refusal);

export class Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly path: readonly string[]; readonly code: string; readonly message: string }[];

  constructor(status: number, code: string, details: Refusal['details'] = [], message = `stubbed: ${code}`) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.details = details;
  }
}

/** Stands for no response at all: the request stays open. */
export const SILENCE = new Refusal(0, '');

export const GRACE: Me = {
  id: 1,
  name: 'Grace Hopper',
  email: 'grace@northwind.example',
  role: 'admin',
  has_password: true,
  factor_kinds: null,
  must_enrol: false,
  confirmed_until: null,
  environments: [
    { name: 'dev', is_production: false },
    { name: 'prod', is_production: true },
  ],
  version: packageFile.version,
  base_url: 'https://svc.northwind.example',
  log_retention_days: 15,
  degraded: null,
};

/** The responses that all screens share, for a member who has signed in. */
export const SIGNED_IN: StubbedApi = {
  me: { data: GRACE },
  setup: { data: { needed: false, has_setup_link: false, password: true, oidc: null, insecure: false } },
  'e/dev/connections-count': { data: { total: 126, healthy: 118, degraded: 3, needs_reauth: 2, pending: 3, needs_attention: 2 } },
  'e/dev/onboarding': {
    data: {
      api_key: { name: 'backend', last4: '7f3a' },
      integration: 'jira',
      application: 'Northwind',
      connection: { connection_id: 'c-1', provider_config_key: 'jira', provider: 'jira' },
      webhook: null,
      has_proxied: false,
    },
  },
  'e/prod/connections-count': {
    data: { total: 1_000, healthy: 1_000, degraded: 0, needs_reauth: 0, pending: 10, needs_attention: 0 },
  },
};

/**
 * Replaces the responses of the dashboard's API, and earlier stubs, with these. The pages still come from the service. Requests
 * without a stub get 404.
 */
export async function stubApi(profile: BrowserContext, api: StubbedApi): Promise<void> {
  await profile.unrouteAll();
  await profile.route('**/api/ui/**', (route) => answer(route, api));
}

async function answer(route: Route, api: StubbedApi): Promise<void> {
  const request = route.request();
  const { pathname, searchParams: query } = new URL(request.url());
  const path = pathname.replace(/^.*\/api\/ui\//, '');
  const found = api[request.method() === 'GET' ? path : `${request.method()} ${path}`] ?? new Refusal(404, 'not_found');
  const said = typeof found === 'function' ? found({ body: request.postDataJSON(), query }) : found;
  if (said === SILENCE) return;
  if (said instanceof Refusal) {
    const error = { code: said.code, message: said.message, errors: said.details };
    const headers = { 'svc-request-id': 'req_7f3a21c9', 'retry-after': '240' };
    return route.fulfill({ status: said.status, headers, json: { error } });
  }
  return route.fulfill('stream' in said ? { contentType: 'text/event-stream', body: String(said.stream) } : { json: said });
}
