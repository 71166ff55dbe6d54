import { useState } from 'preact/hooks';
import { useApp, useMe } from '../../app/context.ts';
import { ME, type Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { Card } from '../../components/card.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { environmentNameFault } from '../../components/environment-name.ts';
import { Failure } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import type { Settings } from '../../components/loaded-settings.tsx';
import { useAction } from '../../components/use-action.ts';
import { useForm } from '../../components/use-form.ts';
import { t } from './texts.ts';

/** Returns a function that changes the environment of the page. The page's address follows the environment's name. */
function useEnvironmentChange({ name: before }: Pick<Settings, 'name'>) {
  const { client, resources, navigation, toast } = useApp();
  const me = useMe();
  return async (changes: Partial<Pick<Settings, 'name' | 'is_production'>>) => {
    const path = `api/ui/environments/${encodeURIComponent(before)}`;
    const { data } = await client.send<Reply<'changeEnvironment'>>('PATCH', path, changes);
    const { name, is_production } = data;
    const environments = me.environments.map((one) => (one.name === before ? { name, is_production } : one));
    resources.put(ME, { data: { ...me, environments } });
    if (name !== before) navigation.replace(pathOf(['e', name, 'settings']));
    resources.invalidate(`api/ui/e/${encodeURIComponent(name)}`);
    toast(t('saved'));
  };
}

export function RenameEnvironment({ name }: Pick<Settings, 'name'>) {
  const change = useEnvironmentChange({ name });
  const form = useForm({
    initial: { name },
    check(values): { name?: string } {
      const fault = environmentNameFault(values.name.trim());
      return fault === undefined ? {} : { name: fault };
    },
    send: (values) => change({ name: values.name.trim() }),
  });
  return (
    <Card title={t('rename')}>
      <Form form={form} texts={{ conflict: t('environment_taken') }}>
        <TextField form={form} name="name" label={t('name')} isCode help={t('rename_help')} />
        <div class="actions">
          <button type="submit" class="btn" disabled={form.isSending || !form.isChanged}>
            {t('rename')}
          </button>
        </div>
      </Form>
    </Card>
  );
}

export function ProductionSwitch({ name, is_production: isProduction }: Pick<Settings, 'name' | 'is_production'>) {
  const change = useEnvironmentChange({ name });
  const [isAsking, setAsking] = useState(false);
  const { run, isRunning, error } = useAction(() => change({ is_production: true }));
  return (
    <Card title={t('production')}>
      {error && <Failure error={error} />}
      <p>{t(isProduction ? 'production_now' : 'production_not_yet')}</p>
      <div class="actions spaced">
        {isProduction ? (
          <button type="button" class="btn" onClick={() => setAsking(true)}>
            {t('end_production')}
          </button>
        ) : (
          <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
            {t('begin_production')}
          </button>
        )}
      </div>
      {isAsking && (
        <DestructiveDialog
          title={t('end_production_heading', { name })}
          consequence={t('end_production_consequence')}
          verb={t('end_production')}
          name={name}
          act={() => change({ is_production: false })}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
