import type * as z from 'zod';
import type { ProviderDefinition } from './members.ts';

const STEP_VALUE = /\$\{steps\.(\d*)/g;
const FIELD = /\$\{(credentials|connectionConfig|integrationConfig)\.([\w-]+)\}/g;

type Step = Pick<ProviderDefinition, 'token_url' | 'token_request_method' | 'token_params' | 'token_headers'>;

/** Steps use responses of earlier steps only, and put no secret into a URL: servers and proxies log those. */
export function checkSteps(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const { token_url, token_request_method, token_params, token_headers, additional_steps = [] } = definition;
  const steps: readonly Step[] = [{ token_url, token_request_method, token_params, token_headers }, ...additional_steps];
  for (const [index, step] of steps.entries()) {
    const path = index === 0 ? ['token_url'] : ['additional_steps', index - 1];
    for (const [whole, number = ''] of JSON.stringify(step).matchAll(STEP_VALUE)) {
      if (number !== '' && Number(number) < index) continue;
      check.addIssue({ code: 'custom', path, message: `"${whole}…}" is not the response of an earlier step` });
    }
    for (const name of secretsInUrl(definition, step))
      check.addIssue({ code: 'custom', path, message: `"${name}" is secret: it must not be part of a URL` });
  }
}

function secretsInUrl(definition: ProviderDefinition, step: Step): readonly string[] {
  const { credentials, connection_config: connectionConfig, integration_config: integrationConfig } = definition;
  const forms = new Map(Object.entries({ credentials, connectionConfig, integrationConfig }));
  const inUrl = [step.token_url, ...(step.token_request_method === 'GET' ? [step.token_params] : [])];
  return Array.from(JSON.stringify(inUrl).matchAll(FIELD)).flatMap(([, group = '', name = '']) => {
    const form = forms.get(group) ?? {};
    return Object.hasOwn(form, name) && form[name]?.secret === true ? [`${group}.${name}`] : [];
  });
}
