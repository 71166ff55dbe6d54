import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { WebWalker } from '../web-walker.ts';
import { NOTES_RESOURCE } from './configuration.ts';

const PERSON = 'ada';

/**
 * Serves `/interaction/<uid>`, a page with the buttons "Allow" and "Deny". The one that the user presses is posted as `?choice=`.
 * "Allow" signs the user in and gives consent in one step.
 */
export async function answerConsent(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const allowed = new URL(request.url ?? '/', provider.issuer).searchParams.get('choice') === 'allow';
    await provider.interactionFinished(request, response, allowed ? await consent(provider, request, response) : REFUSAL);
    return;
  }
  const { params, uid } = await provider.interactionDetails(request, response);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(consentPage(uid, String(params['client_id'])));
}

const REFUSAL: InteractionResults = { error: 'access_denied', error_description: 'the person said no' };

async function consent(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<InteractionResults> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: PERSON, clientId: String(params['client_id']) });
  grant.addOIDCScope(String(params['scope'] ?? ''));
  grant.addResourceScope(NOTES_RESOURCE, 'notes');
  return { login: { accountId: PERSON }, consent: { grantId: await grant.save() } };
}

function consentPage(uid: string, clientId: string): string {
  return `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<title>Notes: allow access?</title>
<body style="font: 18px system-ui; max-width: 30rem; margin: 4rem auto; padding: 0 1rem">
<h1>Notes</h1>
<p>You are signed in as <b>Ada</b>. Allow <b>${escapeHtml(clientId)}</b> to read your notes?</p>
<form method="post" action="/interaction/${uid}?choice=allow"><button>Allow</button></form>
<form method="post" action="/interaction/${uid}?choice=deny"><button>Deny</button></form>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/**
 * Walks from the authorization URL to the callback without a browser, pressing the chosen button.
 *
 * @returns the callback URL with its query, which the walker does not request
 */
export async function walkConsent(
  walker: WebWalker,
  authorizationUrl: string,
  choice: 'allow' | 'deny' = 'allow',
): Promise<string> {
  const { origin } = new URL(authorizationUrl);
  const leaves = (url: string) => new URL(url).origin !== origin;
  const page = await walker.follow(authorizationUrl, leaves);
  if ('stoppedAt' in page) return page.stoppedAt;
  const action = page.text.match(new RegExp(`action="([^"]+choice=${choice})"`))?.[1];
  if (action === undefined) throw new Error(`the provider responded with ${page.status} and no consent page`);
  const end = await walker.follow(new URL(action, origin).href, leaves, { method: 'POST' });
  if ('stoppedAt' in end) return end.stoppedAt;
  throw new Error(`the provider responded with ${end.status} instead of going back`);
}
