import { useState } from 'preact/hooks';
import { parseJson } from '../../../../core/kit/exact-json.ts';
import { t as shared } from '../../app/texts/en.ts';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { JsonEditor, jsonFault } from '../../components/json-editor.tsx';
import { TagEditor } from '../../components/tag-editor.tsx';
import { draftOf, type Tags, tagsIn } from '../../components/tags.ts';
import { useForm } from '../../components/use-form.ts';
import { credentialsOf, fieldOf, type ImportProps, missingIn, VARIANTS } from './import-variants.ts';
import { t } from './texts.ts';

const OBJECTS = ['connection_config', 'metadata'] as const;
const OBJECT_ROWS = 4;

type Values = Readonly<Record<string, string>>;

/** A form with a field for each property of the credentials, and for everything else that an import may contain. */
export function ImportForm({ integration, type, send }: ImportProps) {
  const members = VARIANTS[type] ?? [];
  const [draft, setDraft] = useState(draftOf({}));
  const tags = tagsIn(draft);
  const form = useForm<Values>({
    initial: Object.fromEntries([...members.map(fieldOf), 'connection_id', ...OBJECTS].map((name) => [name, ''])),
    check: (values) => ({ ...missingIn(members, values), ...faultyObjects(values), ...unfinished(tags) }),
    async send(values) {
      const id = values['connection_id']?.trim();
      await send({
        provider_config_key: integration,
        credentials: credentialsOf(type, members, values),
        ...(id && { connection_id: id }),
        ...Object.fromEntries(typedObjects(values).map((name) => [name, parseJson(values[name] ?? '')])),
        ...(tags !== undefined && Object.keys(tags).length > 0 && { tags }),
      });
    },
  });
  return (
    <Form form={form}>
      {members.length === 0 && <p class="soft">{t('credentials_none')}</p>}
      {members.map((one) => (
        <TextField<string>
          key={one.name}
          form={form}
          name={fieldOf(one)}
          label={one.label}
          isOptional={one.isOptional === true}
          isCode
          {...(one.isSecret && { type: 'password', autocomplete: 'new-password' })}
          {...(one.help !== undefined && { help: one.help })}
        />
      ))}
      <TextField<string> form={form} name="connection_id" label={t('id')} help={t('id_help')} isOptional isCode />
      {OBJECTS.map((name) => (
        <JsonEditor
          key={name}
          label={t(name)}
          text={form.values[name] ?? ''}
          fault={form.faults[name]}
          rows={OBJECT_ROWS}
          isOptional
          onChange={(text) => form.set(name, text)}
        />
      ))}
      <fieldset class="stack tight">
        <legend class="label">
          {t('tags')} <i>{shared('optional')}</i>
        </legend>
        <TagEditor draft={draft} onChange={setDraft} />
      </fieldset>
      <div class="actions">
        <button type="submit" class="btn primary" disabled={form.isSending}>
          {t('import_verb')}
        </button>
      </div>
    </Form>
  );
}

function typedObjects(values: Values): readonly string[] {
  return OBJECTS.filter((name) => values[name]?.trim() !== '');
}

function faultyObjects(values: Values): Values {
  const faults = typedObjects(values).map((name) => [name, jsonFault(values[name] ?? '')] as const);
  return Object.fromEntries(faults.filter((one): one is readonly [string, string] => one[1] !== undefined));
}

function unfinished(tags: Tags | undefined): Values {
  return tags === undefined ? { tags: t('tags_unfinished') } : {};
}
