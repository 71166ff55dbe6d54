import { useEnvironment } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';

export type Onboarding = Reply<'getOnboarding'>['data'];

/** Of a step. Its main button is the page's primary one where it is the next. */
export interface StepState extends Onboarding {
  readonly isNext: boolean;
}

/** Calls of the sandbox's API that need no thought. */
const SANDBOX_PATH = '/me';

/** What a proxied call asks for: of other providers nobody knows. */
export function pathFor({ provider }: NonNullable<Onboarding['connection']>): string {
  return provider.startsWith('sandbox') ? SANDBOX_PATH : '/';
}

/** Of the environment's part of the private interface. */
export function useApiPath(): string {
  return `api/ui/e/${useEnvironment().name}`;
}
