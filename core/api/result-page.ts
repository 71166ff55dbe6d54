import { failureType } from '../authorization/client-frames.ts';
import type { FlowFailure, FlowFailureCode } from '../authorization/flow-failure.ts';
import type { Connected } from '../authorization/flow-outcome.ts';
import type { Audience } from '../connect-sessions/session-record.ts';
import type { ErrorDetail, ServiceError } from '../errors.ts';
import { html, type Markup, pageReply } from '../http/html.ts';
import type { Reply } from '../http/route.ts';

/** The values are those of the connect window. */
const STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fff, #0d0f14); --text: light-dark(#13161d, #eceef3); --text-2: light-dark(#515867, #a9b0be);
  --line: light-dark(#e3e6eb, #262b36); --line-strong: light-dark(#c6ccd6, #3b4252); --accent: light-dark(#3350d4, #8ea4ff);
  --ok: light-dark(#14713f, #6fd8a0); --ok-soft: light-dark(#e6f5ec, #12281d);
  --bad: light-dark(#b4232a, #ff9a9e); --bad-soft: light-dark(#fdebec, #321619);
  --wait: light-dark(#515867, #a9b0be); --wait-soft: light-dark(#eceef2, #20242e);
}
body {
  margin: 0; min-block-size: 100dvh; display: grid; place-items: center; background: var(--bg); color: var(--text);
  font: 400 15px/22px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
}
main { box-sizing: border-box; inline-size: 100%; max-inline-size: 26rem; padding: 32px 24px; text-align: center; overflow-wrap: anywhere; }
.mark { inline-size: 44px; block-size: 44px; margin: 0 auto 20px; border-radius: 50%; display: grid; place-items: center; }
.mark svg { inline-size: 22px; block-size: 22px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.ok { color: var(--ok); background: var(--ok-soft); }
.bad { color: var(--bad); background: var(--bad-soft); }
.wait { color: var(--wait); background: var(--wait-soft); }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.012em; }
p, ul { margin: 0 0 8px; padding: 0; color: var(--text-2); }
ul { list-style: none; }
button {
  block-size: 44px; margin-block-start: 16px; padding-inline: 20px; border: 1px solid var(--line-strong); border-radius: 10px;
  background: transparent; color: inherit; font: inherit; cursor: pointer;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.reference { margin-block-start: 24px; padding-block-start: 16px; border-block-start: 1px solid var(--line); font-size: 12px; line-height: 16px; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
`;

/** On a grid of 16 px. */
const MARKS = {
  ok: html`<div class="mark ok" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="m3.5 8.5 3 3 6-7"/></svg></div>`,
  bad: html`<div class="mark bad" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="M8 3.5v5.5M8 12v.1"/></svg></div>`,
  wait: html`<div class="mark wait" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="M8 4v4.5l3 1.5"/></svg></div>`,
};

/** The page is in a window that another one has opened, and goes on in. */
interface Popup {
  /** Path of the script that closes it. */
  readonly scriptUrl: string;
  /** An existing frontend has opened it. */
  readonly client?: PageClient | undefined;
}

interface PageClient {
  /** In lower case. */
  readonly prefix: string;
  /** To which its script tells the result; none: to whichever page has opened it. */
  readonly origins: readonly string[];
}

const GO_BACK = html`<p>Go back to the first window.</p>`;

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

/** Result page of a successful authorization. Contains no provider data, ID or token. */
export function successPage({ name, audience, warning, isChoosing }: Connected, popup?: Popup): Reply {
  const common = { status: 200, popup, closesItself: true };
  if (isChoosing)
    return page({ ...common, mark: 'wait', title: 'Almost done', body: [html`<p>${CHOOSE}</p>`, ...forWhom(audience)] });
  const place = popup === undefined ? 'tab' : 'window';
  const text = `Your ${name} account is connected. You can close this ${place}.`;
  return page({
    ...common,
    mark: 'ok',
    title: 'Connected',
    body: [html`<p>${text}</p>`, ...hint(warning), ...forWhom(audience)],
  });
}

function hint(warning: Connected['warning']): Markup[] {
  return warning === undefined ? [] : [html`<p>This access may be for a limited time. You may be asked to connect again.</p>`];
}

/** Reloading the page after a success also ends here. */
const TITLES: Readonly<Partial<Record<FlowFailureCode, string>>> = {
  state_mismatch: 'This attempt is over',
  cancelled: 'This attempt is over',
  already_connected: 'This attempt is over',
  still_running: 'Not connected yet',
  approval_pending: 'Not connected yet',
};

export function failurePage({ code, text, reason, audience, logId }: FlowFailure, popup?: Popup): Reply {
  const title = TITLES[code] ?? 'Not connected';
  const body = [
    html`<p>${text}</p>`,
    ...(reason === undefined ? [] : [html`<p>${reason}</p>`]),
    ...(popup === undefined ? [] : [GO_BACK]),
    ...forWhom(audience),
    ...(logId === undefined ? [] : [reference(logId)]),
  ];
  const isWaiting = code === 'approval_pending' || code === 'still_running';
  const told = { type: failureType(code), text: [text, reason].filter((part) => part !== undefined).join(' ') };
  return page({ status: 400, mark: isWaiting ? 'wait' : 'bad', title, body, popup, told });
}

/** For a flow that could not start, or that failed in the service itself. Echoes nothing from the URL. */
export function refusalPage({ code, status, details }: ServiceError, requestId: string, audience?: Audience): Reply {
  const text = REFUSALS[code] ?? 'Something went wrong on our side. Try again in a moment.';
  const faults = details.filter(isOfForm).map(({ message }) => html`<li>${message}</li>`);
  const list = faults.length > 0 ? [html`<ul>${faults}</ul>`] : [];
  const body = [html`<p>${text}</p>`, ...list, ...forWhom(audience), reference(requestId)];
  return page({ status, mark: 'bad', title: code === 'storage_unavailable' ? 'Interrupted' : 'Not connected', body });
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

interface Parts {
  readonly status: number;
  readonly mark: keyof typeof MARKS;
  readonly title: string;
  readonly body: readonly Markup[];
  readonly popup?: Popup | undefined;
  readonly closesItself?: boolean;
  /** What a client is told of a failure. */
  readonly told?: { readonly type: string; readonly text: string };
}

function page({ status, mark, title, body, popup, closesItself = false, told }: Parts): Reply {
  const close = popup === undefined ? [] : closeButton(closesItself);
  const client = popup?.client === undefined ? [] : [clientFacts(popup.client, told)];
  const main = html`<main>${MARKS[mark]}<h1>${title}</h1>${body}${close}</main>${client}`;
  return pageReply({ status, title, style: STYLE, body: main, scriptUrl: popup?.scriptUrl });
}

/** For the script. */
function clientFacts({ prefix, origins }: PageClient, told: Parts['told']): Markup {
  const failure = told === undefined ? [] : [html` data-error-type="${told.type}" data-error="${told.text}"`];
  return html`<div id="client" hidden data-prefix="${prefix}" data-origins="${origins.join(' ')}"${failure}></div>`;
}

/** Shown by the script, without which it would do nothing. */
function closeButton(closesItself: boolean): Markup[] {
  const button = (done: readonly Markup[]) => html`<button id="close" type="button" hidden${done}>Close window</button>`;
  return [button(closesItself ? [html` data-done`] : [])];
}
