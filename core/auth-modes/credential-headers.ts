import { fillText } from '../kit/template.ts';
import type { ModeInput, StoredCredentials } from './auth-mode.ts';
import { AUTH_MODES } from './index.ts';
import { providerValues } from './provider-template.ts';

type Source = Pick<ModeInput, 'definition' | 'connectionConfig' | 'integrationConfig'>;

/**
 * The headers that make a request the connection's: the mode's own, and over them the definition's `proxy.headers`.
 * Lower-case names.
 *
 * @throws TemplateError
 */
export function credentialHeaders(source: Source, stored: StoredCredentials): Record<string, string> {
  const mode = AUTH_MODES[stored.type];
  const values = { ...providerValues(source), ...mode.templateValues(stored) };
  const templates = Object.entries(source.definition.proxy?.headers ?? {});
  return {
    ...mode.sign(stored).headers,
    ...Object.fromEntries(templates.map(([name, template]) => [name.toLowerCase(), fillText(template, values)])),
  };
}
