import { parseJson } from '../../../../core/kit/exact-json.ts';
import { ApiError } from '../../../kit/api-error.ts';
import { Form } from '../../components/form.tsx';
import { JsonEditor, jsonFault } from '../../components/json-editor.tsx';
import { useForm } from '../../components/use-form.ts';
import { credentialsOf, type ImportProps, VARIANTS } from './import-variants.ts';
import { t } from './texts.ts';

/** A form for the whole import as JSON for the API, which starts with a template. */
export function ImportJson({ integration, type, send }: ImportProps) {
  const members = (VARIANTS[type] ?? []).filter(({ isOptional }) => !isOptional);
  const empty = Object.fromEntries(members.map(({ name }) => [`credentials.${name}`, '']));
  const template = { provider_config_key: integration, credentials: credentialsOf(type, members, empty), tags: {} };
  const form = useForm({
    initial: { json: JSON.stringify(template, null, 2) },
    check: ({ json }): { json?: string } => {
      const fault = jsonFault(json);
      return fault === undefined ? {} : { json: fault };
    },
    async send({ json }) {
      await send(parseJson(json)).catch((cause: unknown) => {
        throw cause instanceof ApiError ? atOneField(cause) : cause;
      });
    },
  });
  return (
    <Form form={form}>
      <JsonEditor
        label={t('json')}
        help={t('json_help')}
        text={form.values.json}
        fault={form.faults.json}
        onChange={(text) => form.set('json', text)}
      />
      <div class="actions">
        <button type="submit" class="btn primary" disabled={form.isSending}>
          {t('import_verb')}
        </button>
      </div>
    </Form>
  );
}

/** Returns the same error with all its faults joined into one, at the only field of the form. */
function atOneField({ code, status, message, requestId, faults }: ApiError): ApiError {
  const said = faults.map(({ path, message: text }) =>
    path.length === 0 ? text : t('json_fault', { path: path.join('.'), fault: text }),
  );
  const fault = { path: ['json'], code, message: said.join('; ') };
  return new ApiError(code, { status, message, requestId, faults: said.length === 0 ? [] : [fault] });
}
