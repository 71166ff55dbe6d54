import type { FlowFailure, FlowFailureCode } from '../authorization/flow-failure.ts';
import type { Connected } from '../authorization/flow-outcome.ts';
import type { Audience } from '../connect-sessions/session-record.ts';
import type { ErrorDetail, ServiceError } from '../errors.ts';
import { html, type Markup, pageReply } from '../http/html.ts';
import type { Reply } from '../http/route.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; padding: 2rem; text-align: center; }
h1 { font-size: 1.25rem; }
ul { padding: 0; list-style: none; }
.reference { color: GrayText; font-size: .8rem; }
`;

const NOTHING_HERE = 'There is nothing at this address. Open the link that you were sent once more.';
const UNAVAILABLE = 'This account can’t be connected right now. Whoever sent you here needs to finish setting it up.';

const CHOOSE = 'Go back to the window where you started, and choose what to connect. Nothing is connected yet.';

/** Texts for end users when a flow could not start, by error code. */
const REFUSALS: Readonly<Partial<Record<ServiceError['code'], string>>> = {
  unknown_connect_session_token:
    'This window has expired. Ask for a new link. If you have connected already, you can close this tab.',
  invalid_query_params: 'Some details are missing or have the wrong form. Go back and check them.',
  integration_not_allowed: UNAVAILABLE,
  unknown_provider_config: UNAVAILABLE,
  unknown_connection: UNAVAILABLE,
  invalid_auth_mode: UNAVAILABLE,
  missing_client_id: UNAVAILABLE,
  // Of the integration's app, before there are credentials of the user.
  connection_test_failed: UNAVAILABLE,
  provider_unavailable: 'The other service couldn’t be reached. Try again in a moment.',
  deprecated_authentication: UNAVAILABLE,
  unknown_account: UNAVAILABLE,
  missing_hmac: UNAVAILABLE,
  invalid_hmac: UNAVAILABLE,
  conflict: UNAVAILABLE,
  too_many_request: 'Too many attempts. Wait a minute.',
  not_found: NOTHING_HERE,
  method_not_allowed: NOTHING_HERE,
  uri_too_long: 'This address is too long. Open the link that you were sent once more.',
  storage_unavailable:
    'The service was interrupted, so it isn’t known whether this worked. Look in the app that sent you here, then try again.',
};

/** Result page of a successful authorization. Contains no script, provider data, ID or token. */
export function successPage({ name, audience, warning, isChoosing }: Connected): Reply {
  if (isChoosing) return page({ status: 200, title: 'Almost done', body: [html`<p>${CHOOSE}</p>`, ...forWhom(audience)] });
  const text = `Your ${name} account is connected. You can close this tab.`;
  return page({ status: 200, title: 'Connected', body: [html`<p>${text}</p>`, ...hint(warning), ...forWhom(audience)] });
}

function hint(warning: Connected['warning']): Markup[] {
  return warning === undefined ? [] : [html`<p>This access may be for a limited time. You may be asked to connect again.</p>`];
}

/** Reloading the page after a success also ends here. */
const TITLES: Readonly<Partial<Record<FlowFailureCode, string>>> = {
  state_mismatch: 'This attempt is over',
  already_connected: 'This attempt is over',
  still_running: 'Not connected yet',
  approval_pending: 'Not connected yet',
};

export function failurePage({ code, text, reason, audience, logId }: FlowFailure): Reply {
  const title = TITLES[code] ?? 'Not connected';
  const body = [
    html`<p>${text}</p>`,
    ...(reason === undefined ? [] : [html`<p>${reason}</p>`]),
    ...forWhom(audience),
    ...(logId === undefined ? [] : [reference(logId)]),
  ];
  return page({ status: 400, title, body });
}

/** For a flow that could not start, or that failed in the service itself. Echoes nothing from the URL. */
export function refusalPage({ code, status, details }: ServiceError, requestId: string, audience?: Audience): Reply {
  const text = REFUSALS[code] ?? 'Something went wrong on our side. Try again in a moment.';
  const faults = details.filter(isOfForm).map(({ message }) => html`<li>${message}</li>`);
  const list = faults.length > 0 ? [html`<ul>${faults}</ul>`] : [];
  const body = [html`<p>${text}</p>`, ...list, ...forWhom(audience), reference(requestId)];
  return page({ status, title: code === 'storage_unavailable' ? 'Interrupted' : 'Not connected', body });
}

/** Only faults in form fields of the provider; others would echo names from the URL. */
function isOfForm({ code, path }: ErrorDetail): boolean {
  return path[0] === 'params' && code !== 'unrecognized_key';
}

/** A link works for anyone who opens it, so the page shows the intended user. */
function forWhom(audience: Audience | undefined): Markup[] {
  const { displayName, email } = audience ?? {};
  const who = displayName && email ? `${displayName} (${email})` : displayName || email;
  return who ? [html`<p>This was for <bdi>${who}</bdi>.</p>`] : [];
}

function reference(id: string): Markup {
  return html`<p class="reference">Reference: <code>${id}</code></p>`;
}

function page({ status, title, body }: { status: number; title: string; body: readonly Markup[] }): Reply {
  return pageReply({ status, title, style: STYLE, body: html`<main><h1>${title}</h1>${body}</main>` });
}
