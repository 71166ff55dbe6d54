import type { TemplateValues } from '../../kit/template.ts';
import type { ClientSettings } from '../auth-mode.ts';

/** Returns the value of `${clientId}`, which all requests to a provider may contain; no value if the client ID is empty. */
export function clientIdValue({ clientId }: Pick<ClientSettings, 'clientId'>): TemplateValues {
  return clientId === '' ? {} : { clientId };
}

/** Returns the values of `${clientId}` and `${clientSecret}`, for requests to the token endpoint only. */
export function clientValues(client: Pick<ClientSettings, 'clientId' | 'clientSecret'>): TemplateValues {
  const { clientSecret } = client;
  return { ...clientIdValue(client), ...(clientSecret !== '' && { clientSecret }) };
}
