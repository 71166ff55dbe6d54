import type { ScriptEvent } from '../../../../core/scripts/event.ts';
import { useApp } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { Card } from '../../components/card.tsx';
import { SelectField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useForm } from '../../components/use-form.ts';
import { DiffLines } from './diff-lines.tsx';
import { Reference } from './reference.tsx';
import { SourceField } from './source-field.tsx';
import { t } from './texts.ts';
import type { Version } from './version.ts';

type Deployed = Reply<'deployScript'>['data'];

interface NewVersionProps {
  readonly event: ScriptEvent;
  /** The path of the script in the private interface. */
  readonly path: string;
  /** The source and language with which the form begins. */
  readonly initial: { readonly source: string; readonly language: string };
  /** The active version; undefined when the new one is the first. */
  readonly current?: Version;
  readonly onDeployed: (script: Deployed) => void;
  readonly onCancel: () => void;
}

/** The form that deploys a version. The service's error for a source that does not compile contains the position. */
export function NewVersion({ event, path, initial, current, onDeployed, onCancel }: NewVersionProps) {
  const { client, resources, toast } = useApp();
  const form = useForm<{ source: string; language: string }>({
    initial: { source: initial.source, language: initial.language },
    check: ({ source }) => (source.trim() === '' ? { source: t('source_missing') } : {}),
    send: async (values) => {
      const { data } = (await client.send('PUT', path, values)) as One<Deployed>;
      resources.invalidate(path.slice(0, path.lastIndexOf('/')));
      resources.invalidate(`${path.slice(0, path.indexOf('/integrations/'))}/scripts`);
      onDeployed(data);
      toast(t('deployed', { version: data.version }));
    },
  });
  return (
    <div class="beside">
      <Card title={t(current ? 'new_version' : 'first_version')}>
        <Form form={form}>
          <SourceField form={form} />
          {current && form.values.source !== current.source && (
            <DiffLines
              title={t('changes_typed', { version: current.version })}
              before={current.source}
              after={form.values.source}
            />
          )}
          <SelectField
            form={form}
            name="language"
            label={t('language')}
            choices={(['typescript', 'javascript'] as const).map((value) => ({ value, label: t(value) }))}
          />
          <div class="actions">
            <button type="submit" class="btn primary" disabled={form.isSending}>
              {t('deploy')}
            </button>
            <button type="button" class="btn" onClick={onCancel}>
              {t('cancel')}
            </button>
          </div>
        </Form>
      </Card>
      <Reference event={event} />
    </div>
  );
}
