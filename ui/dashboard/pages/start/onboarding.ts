import type { Reply } from '../../app/replies.ts';

export type Onboarding = Reply<'getOnboarding'>['data'];

/** Props of a step. The main button of the next step is the page's primary button. */
export interface StepState extends Onboarding {
  readonly isNext: boolean;
}

/** A path of the sandbox's API that works without further input. */
const SANDBOX_PATH = '/me';

/** Returns the path of an example call: a useful one for the sandbox, `/` for other providers, whose paths are not known. */
export function pathFor({ provider }: NonNullable<Onboarding['connection']>): string {
  return provider.startsWith('sandbox') ? SANDBOX_PATH : '/';
}
