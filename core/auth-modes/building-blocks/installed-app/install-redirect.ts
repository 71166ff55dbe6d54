import { ServiceError } from '../../../errors.ts';
import type { FlowStart, ModeInput, Redirect } from '../../auth-mode.ts';
import { filledFromParams } from '../filled-from-params.ts';
import { fillProviderUrl, fillTexts } from '../provider-template.ts';
import { appProof } from './app-proof.ts';
import { requireBothSecrets } from './complete-installation.ts';

/**
 * Sends the browser to the page on which the app is installed: `authorization_url`, or the `app_link` of the integration's app.
 *
 * @throws ServiceError `missing_client_id` if the integration lacks an ID, a secret or the link of the app;
 *   `invalid_query_params` if a value of the URL is missing
 */
export async function installRedirect(deps: { readonly now: () => Date }, input: ModeInput, flow: FlowStart): Promise<Redirect> {
  await appProof(input.client, deps.now());
  if (input.definition.installation !== undefined) requireBothSecrets(input.client);
  const { appLink } = input.client;
  if (appLink === undefined)
    throw new ServiceError('missing_client_id', 'the integration needs app_link, the page from which its app is installed');
  const url = filledFromParams('the URL of the installation', () => installUrl(input, appLink));
  const params = { ...filledParams(input), ...flow.authorizationParams, state: flow.state };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return { url: url.href, secrets: {} };
}

function installUrl(input: ModeInput, appLink: string): URL {
  const { authorization_url: template } = input.definition;
  if (template === undefined) return new URL(appLink);
  return fillProviderUrl(template, { ...input, credentials: { 'integration.appLink': appLink } });
}

function filledParams(input: ModeInput): Record<string, string> {
  return filledFromParams('the URL of the installation', () => fillTexts(input.definition.authorization_params, input));
}
