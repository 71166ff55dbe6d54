import { Card } from '../../components/card.tsx';
import { SelectField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useApp } from '../../context.ts';
import { useForm } from '../../hooks/use-form.ts';
import type { One, Reply } from '../../wire.ts';
import { DiffLines } from './diff-lines.tsx';
import { SourceField } from './source-field.tsx';
import { t } from './texts.ts';
import type { Version } from './version.ts';

interface NewVersionProps {
  readonly path: string;
  readonly current: Version;
  readonly onClose: () => void;
}

/** What the service says of a source that does not compile has the position in it. */
export function NewVersion({ path, current, onClose }: NewVersionProps) {
  const { client, resources, toast } = useApp();
  const form = useForm<{ source: string; language: string }>({
    initial: { source: current.source, language: current.language },
    check: ({ source }) => (source.trim() === '' ? { source: t('source_missing') } : {}),
    send: async (values) => {
      const { data } = (await client.send('PUT', path, values)) as One<Reply<'deployScript'>['data']>;
      resources.invalidate(path.slice(0, path.lastIndexOf('/')));
      onClose();
      toast(t('deployed', { version: data.version }));
    },
  });
  return (
    <Card title={t('new_version')}>
      <Form form={form}>
        <SourceField form={form} />
        {form.values.source !== current.source && (
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
          <button type="button" class="btn" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </Form>
    </Card>
  );
}
