import { STEPS, stepsDone } from '../quick-start-steps.ts';
import type { Reply } from '../replies.ts';
import { t } from '../texts/en.ts';
import { useResource } from '../use-resource.ts';

/** The progress of the quick start; nothing once all steps are done. */
export function StartCount({ environment }: { readonly environment: string }) {
  const { value } = useResource<Reply<'getOnboarding'>>(`api/ui/e/${encodeURIComponent(environment)}/onboarding`);
  const done = value === undefined ? STEPS : stepsDone(value.data);
  if (done === STEPS) return null;
  return (
    <span class="n plain">
      <span aria-hidden="true">
        {done}/{STEPS}
      </span>
      <span class="sr">{t('steps_done', { done, all: STEPS })}</span>
    </span>
  );
}
