import { decidingFieldsOf, type FormField, type ProviderDefinition } from '#contract';
import type { ModeInput } from '../../auth-modes/auth-mode.ts';
import { fillProviderUrl } from '../../auth-modes/building-blocks/provider-template.ts';
import type { Provider } from '../catalogue.ts';
import { ProbeFault } from './probe-fault.ts';

/** Used as client ID, client secret and code: a provider that responds as documented rejects them. */
export const WRONG = 'svc-probe';

type Fields = ProviderDefinition['connection_config'];

/** Returns an integration and a connection that no provider knows, with the examples of the form fields as values. */
export function wrongInput({ slug, definition }: Pick<Provider, 'slug' | 'definition'>): ModeInput {
  return {
    provider: slug,
    definition,
    client: { clientId: WRONG, clientSecret: WRONG, scopes: [] },
    connectionConfig: assumed(definition.connection_config),
    integrationConfig: assumed(definition.integration_config),
  };
}

/**
 * Fills in a URL whose host is the same for all users.
 *
 * @throws ProbeFault `skipped` if a user or an operator enters the host: the host in an example belongs to somebody else
 */
export function sharedUrl(template: string, input: ModeInput): URL {
  for (const { group, field } of decidingFieldsOf(template, input.definition)) {
    const declared = input.definition[group]?.[field];
    if (declared === undefined || standardValue(declared) === undefined)
      throw new ProbeFault('skipped', `the host depends on ${group}.${field}, which a user or an operator has to enter`);
  }
  return fillProviderUrl(template, input);
}

function assumed(fields: Fields = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, standardValue(field) ?? field.example ?? WRONG]),
  );
}

function standardValue(field: FormField): string | undefined {
  return field.default_value ?? field.enum?.[0];
}
