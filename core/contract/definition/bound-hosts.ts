import type * as z from 'zod';
import { hostPlaceholdersOf, splitPlaceholder } from '../templates.ts';
import type { ProviderDefinition } from './members.ts';
import { urlTemplatesOf } from './url-templates.ts';

const FORMS = {
  connectionConfig: 'connection_config',
  integrationConfig: 'integration_config',
  credentials: 'credentials',
} as const;

/** Secrets are sent to these hosts: a field that is part of one must restrict its values (pattern, format or enum). */
export function requireBoundHosts(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  for (const { path, template, hostPattern } of urlTemplatesOf(definition)) {
    for (const placeholder of hostPlaceholdersOf(template)) {
      const isOfResponse = placeholder.startsWith('steps.');
      if (isOfResponse ? hostPattern !== undefined : isBound(definition, placeholder) || isOperatorsPage(path, placeholder))
        continue;
      const message = isOfResponse
        ? `"${placeholder}" decides the host: only a step with a host_pattern may take it from a response`
        : `"${placeholder}" decides the host: it must be a declared field with a pattern, a format or an enum`;
      check.addIssue({ code: 'custom', path, message });
    }
  }
}

/** Set by the operator, and only a browser goes there. */
function isOperatorsPage([field]: readonly (string | number)[], placeholder: string): boolean {
  return field === 'authorization_url' && placeholder === 'integration.appLink';
}

function isBound(definition: ProviderDefinition, placeholder: string): boolean {
  const { group, field: name } = splitPlaceholder(placeholder);
  if (group === 'maps') return true; // Its values are the definition's own.
  const form = Object.hasOwn(FORMS, group) ? definition[FORMS[group as keyof typeof FORMS]] : undefined;
  const field = form !== undefined && Object.hasOwn(form, name) ? form[name] : undefined;
  return (field?.pattern ?? field?.format ?? field?.enum) !== undefined;
}
