import { useApp, useEnvironment, useEnvironmentPath, useMay } from '../../app/context.ts';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useForm } from '../../components/use-form.ts';
import type { StepState } from './onboarding.ts';
import { buttonClass, Step } from './step.tsx';
import { t } from './texts.ts';

/** The step that asks for the application's name, which end users read in Connect UI. */
export function ApplicationStep({ application, isNext }: StepState) {
  const { name } = useEnvironment();
  const mayChange = useMay('developer');
  return (
    <Step title={t('application')} hint={t('application_hint')} isDone={application !== null}>
      {application !== null && (
        <p class="wrap">
          <bdi>{application}</bdi>
        </p>
      )}
      {mayChange && application === null && <NameForm isNext={isNext} />}
      {mayChange && application !== null && (
        <a class="btn" href={`e/${name}/settings/connect-ui`}>
          {t('application_look')}
        </a>
      )}
    </Step>
  );
}

function NameForm({ isNext }: Pick<StepState, 'isNext'>) {
  const { client, resources } = useApp();
  const path = useEnvironmentPath();
  const form = useForm({
    initial: { brand_name: '' },
    check: ({ brand_name: name }) => (name.trim() === '' ? { brand_name: t('application_missing') } : {}),
    async send({ brand_name: name }) {
      await client.send('PATCH', `${path}/connect-ui`, { brand_name: name.trim() });
      resources.invalidate(`${path}/`);
    },
  });
  return (
    <Form form={form}>
      <TextField form={form} name="brand_name" label={t('application_name')} />
      <div>
        <button type="submit" class={buttonClass(isNext)} disabled={form.isSending}>
          {t('save')}
        </button>
      </div>
    </Form>
  );
}
