import type { TemplateValues } from '../../kit/template.ts';
import type { ClientSettings } from '../auth-mode.ts';

/** `${clientId}`: for all requests to a provider. An empty one has no value. */
export function clientIdValue({ clientId }: Pick<ClientSettings, 'clientId'>): TemplateValues {
  return clientId === '' ? {} : { clientId };
}

/** `${clientId}` and `${clientSecret}`: for requests to the token endpoint only. */
export function clientValues(client: Pick<ClientSettings, 'clientId' | 'clientSecret'>): TemplateValues {
  const { clientSecret } = client;
  return { ...clientIdValue(client), ...(clientSecret !== '' && { clientSecret }) };
}
