import type { ComponentChildren } from 'preact';
import { FieldView } from '../../../kit/fields/field-view.tsx';
import type { Field as WireField } from '../../../kit/wire.ts';
import { fieldText } from '../../app/texts/fields.ts';
import { Field, TextField } from '../../components/field.tsx';
import type { FormState } from '../../components/use-form.ts';
import { APP_FIELDS, type AppValues, configKey, fieldValues, type Provider } from './app-form.ts';
import { KeptSecret } from './kept-secret.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { t } from './texts.ts';

/** Secrets that are already set, by field. They are kept when nothing is typed. */
export type KeptSecrets = Readonly<Record<string, { readonly since: string | undefined }>>;

interface AppFieldsProps {
  readonly form: FormState<AppValues>;
  readonly provider: Provider;
  /** Properties of `credentials` that integrations of this provider have. */
  readonly members: readonly string[];
  readonly kept?: KeptSecrets;
  /** The help text below the client ID. */
  readonly clientHelp?: ComponentChildren;
  readonly scopesHelp?: string | undefined;
  /** The help text below a secret that is set. */
  readonly secretHelp?: string | undefined;
}

/** The fields of the app at the provider: its IDs, its secrets, and the scopes for which it asks users. */
export function AppFields({ form, provider, members, kept = {}, clientHelp, scopesHelp, secretHelp }: AppFieldsProps) {
  return (
    <>
      {APP_FIELDS.filter((name) => members.includes(name)).map((name) => {
        const secret = kept[name];
        const help = name === 'client_id' ? clientHelp : secret ? secretHelp : undefined;
        const field = (
          <TextField<string>
            key={name}
            form={form}
            name={`credentials.${name}`}
            label={t(`app_${name}`)}
            type={name === 'client_secret' ? 'password' : 'text'}
            autocomplete={name === 'client_secret' ? 'new-password' : 'off'}
            isCode
            {...(name === 'private_key' && { rows: 5 })}
            {...(help !== undefined && { help })}
          />
        );
        return secret ? (
          <KeptSecret key={name} label={t(`app_${name}`)} since={secret.since}>
            {field}
          </KeptSecret>
        ) : (
          field
        );
      })}
      {members.includes('scopes') && (
        <Field label={t('scopes')} fault={form.faults['credentials.scopes']} isOptional help={scopesHelp ?? t('scopes_help')}>
          {(attributes) => (
            <ScopePicker
              {...attributes}
              value={form.values['credentials.scopes'] ?? ''}
              provider={provider}
              onChange={(scopes) => form.set('credentials.scopes', scopes)}
            />
          )}
        </Field>
      )}
    </>
  );
}

interface ConfigFieldsProps {
  readonly form: FormState<AppValues>;
  readonly fields: readonly WireField[];
  /** Names of secrets that are set already. */
  readonly kept?: readonly string[];
}

/** The fields of the settings that the provider's definition declares. */
export function ConfigFields({ form, fields, kept = [] }: ConfigFieldsProps) {
  const values = fieldValues(fields, form.values);
  return (
    <>
      {fields.map((field) => {
        const fault = form.faults[configKey(field)];
        const { visible_when: condition } = field;
        if (condition !== undefined && form.values[`integration_config.${condition.field}`] !== condition.equals) return null;
        const [, name] = field.path;
        const view = (
          <FieldView
            key={name}
            field={fault === undefined ? field : { ...field, pattern_message: fault }}
            id={`config-${name}`}
            values={values}
            fault={fault === undefined ? undefined : { code: 'invalid_value', message: fault }}
            isReadOnly={form.isSending}
            onInput={(value) => form.set(configKey(field), value)}
            onLeave={() => undefined}
            t={fieldText}
          />
        );
        return kept.includes(name) ? (
          <KeptSecret key={name} label={field.title}>
            {view}
          </KeptSecret>
        ) : (
          view
        );
      })}
    </>
  );
}
