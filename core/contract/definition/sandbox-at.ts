import { isSandboxPath } from '../templates.ts';
import type { ProviderDefinition } from './members.ts';
import { urlTemplatesOf } from './url-templates.ts';

/**
 * Returns the definition with the paths of a sandbox completed to URLs.
 *
 * @param baseUrl the public address of the service, without a trailing slash
 */
export function sandboxAt(definition: ProviderDefinition, baseUrl: string): ProviderDefinition {
  if (definition.sandbox !== true) return definition;
  const whole = structuredClone(definition);
  for (const { path, template } of urlTemplatesOf(definition))
    if (isSandboxPath(template)) setAt(whole, path, baseUrl + template);
  return whole;
}

function setAt(target: object, [name = '', ...rest]: readonly (string | number)[], value: string): void {
  if (rest.length === 0) Object.assign(target, { [name]: value });
  else setAt(Object.getOwnPropertyDescriptor(target, name)?.value, rest, value);
}
