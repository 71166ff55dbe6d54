import { useRef, useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { Field } from '../../components/field.tsx';
import { useAction } from '../../components/use-action.ts';
import { t } from './texts.ts';

const MAX_BYTES = 262_144;

interface BrandLogoProps {
  /** The path of the settings to which the logo belongs. */
  readonly path: string;
  readonly url: string | null;
}

/** The application's logo. An upload or a removal takes effect immediately. */
export function BrandLogo({ path, url }: BrandLogoProps) {
  const { client, resources, toast } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const upload = useAction(async () => {
    const file = input.current?.files?.[0];
    setTooLarge(file !== undefined && file.size > MAX_BYTES);
    if (file === undefined || file.size > MAX_BYTES) return;
    const form = new FormData();
    form.set('logo', file);
    await client.send('PUT', `${path}/logo`, form).finally(() => {
      if (input.current !== null) input.current.value = '';
    });
    resources.invalidate(path);
    toast(t('logo_saved'));
  });
  const remove = useAction(async () => {
    await client.send('DELETE', `${path}/logo`);
    resources.invalidate(path);
    toast(t('logo_removed'));
  });
  const error = upload.error ?? remove.error;
  return (
    <Card title={t('logo')}>
      <div class="stack">
        {error && <Failure error={error} texts={{ invalid_body: t('logo_not_image') }} />}
        {url !== null && <img class="brand-logo" src={url} alt={t('logo_now')} />}
        <Field
          label={t(url === null ? 'logo_upload' : 'logo_replace')}
          help={t('logo_help')}
          fault={isTooLarge ? t('logo_too_large') : undefined}
        >
          {(attributes) => (
            <div>
              <input
                {...attributes}
                ref={input}
                class="sr"
                type="file"
                accept="image/png,image/webp"
                disabled={upload.isRunning}
                onChange={() => void upload.run()}
              />
              <label class="btn" for={attributes.id}>
                {t('choose_file')}
              </label>
            </div>
          )}
        </Field>
        {url !== null && (
          <div class="actions">
            <button type="button" class="btn" disabled={remove.isRunning} onClick={() => void remove.run()}>
              {t('logo_remove')}
            </button>
          </div>
        )}
      </div>
    </Card>
  );
}
