import type { Reply } from './replies.ts';

type Onboarding = Reply<'getOnboarding'>['data'];
type Step = 'key' | 'integration' | 'application' | 'connection' | 'webhook' | 'proxy';

export const STEPS = 6;

/** Returns how many steps of the quick start are done in an environment. */
export function stepsDone(found: Onboarding): number {
  return STEPS - openSteps(found).length;
}

/** Returns the first open step; undefined when all are done. */
export function nextStep(found: Onboarding): Step | undefined {
  return openSteps(found)[0];
}

function openSteps(found: Onboarding): readonly Step[] {
  const done: Readonly<Record<Step, boolean>> = {
    key: found.api_key !== null,
    integration: found.integration !== null,
    application: found.application !== null,
    connection: found.connection !== null,
    webhook: found.has_received,
    proxy: found.has_proxied,
  };
  return (Object.keys(done) as Step[]).filter((step) => !done[step]);
}
