import { httpsOnly } from '../../../kit/link.ts';
import { useApp, useEnvironment } from '../../app/context.ts';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useForm } from '../../components/use-form.ts';
import type { Status } from './shown-integration.ts';
import { t } from './texts.ts';

/** Pattern of an integration's position in the picker: a whole number from 1 to 999, the range that the service accepts. */
const POSITION = /^[1-9]\d{0,2}$/;

interface ConnectScreenFormProps {
  /** The path of the integration in the private interface. */
  readonly path: string;
  readonly screen: Status['connect_screen'];
  /** True when the form's button is the primary one, since the page has no other. */
  readonly isPrimary: boolean;
}

/** The form for the team's own texts, which users see when they connect the integration. */
export function ConnectScreenForm({ path, screen, isPrimary }: ConnectScreenFormProps) {
  const { client, resources, toast } = useApp();
  const { name: environment } = useEnvironment();
  const form = useForm({
    initial: { guide_url: screen.guide_url ?? '', position: String(screen.position ?? '') },
    check: ({ guide_url: url, position }) => ({
      ...(url !== '' && httpsOnly(url.trim()) === undefined && { guide_url: t('connect_guide_https') }),
      ...(position.trim() !== '' && !POSITION.test(position.trim()) && { position: t('connect_position_number') }),
    }),
    async send(values) {
      const [url, position] = [values.guide_url.trim(), values.position.trim()];
      const changed = { guide_url: url === '' ? null : url, position: position === '' ? null : Number(position) };
      await client.send('PUT', `${path}/connect-screen`, changed);
      form.reset({ guide_url: url, position });
      resources.invalidate(`api/ui/e/${encodeURIComponent(environment)}/integrations`);
      toast(t('saved'));
    },
  });
  return (
    <Form form={form}>
      <TextField form={form} name="guide_url" label={t('connect_own_guide')} help={t('connect_guide_help')} isOptional isCode />
      <TextField form={form} name="position" label={t('connect_position')} help={t('connect_position_help')} isOptional />
      <div class="actions">
        <button type="submit" class={isPrimary ? 'btn primary' : 'btn'} disabled={form.isSending || !form.isChanged}>
          {t('save')}
        </button>
      </div>
    </Form>
  );
}
