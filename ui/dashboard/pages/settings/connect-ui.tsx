import { LANGUAGE_TAGS } from '../../../../core/kit/language.ts';
import { MAX_RADIUS, readabilityOf } from '../../../kit/brand.ts';
import type { Brand } from '../../../kit/wire.ts';
import { useApp, useEnvironmentPath, useMay } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type FormState, useForm } from '../../components/use-form.ts';
import { BrandColorField } from './brand-color.tsx';
import { BrandLogo } from './brand-logo.tsx';
import { SettingsPage } from './settings-page.tsx';
import { t } from './texts.ts';
import { WindowPreview } from './window-preview.tsx';

type Look = Reply<'getConnectUi'>['data'];
type Values = ReturnType<typeof valuesOf>;

const THEMES = ['system', 'light', 'dark'] as const satisfies readonly Look['brand_theme'][];
const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });
const LANGUAGES = LANGUAGE_TAGS.map((value) => ({ value, label: NAMES.of(value) ?? value })).toSorted((one, other) =>
  one.label.localeCompare(other.label),
);

/** The section about the connect pages for end users: how they look, and who may open them. */
export function ConnectUi() {
  const path = `${useEnvironmentPath()}/connect-ui`;
  const mayChange = useMay('developer');
  const { value, error, reload } = useResource<Reply<'getConnectUi'>>(path);
  const Shown = mayChange ? ChangingLook : StoredLook;
  return (
    <SettingsPage>
      {value === undefined && (error === undefined ? <Skeleton rows={5} /> : <Failure error={error} onRetry={reload} />)}
      {value !== undefined && <Shown path={path} look={value.data} />}
    </SettingsPage>
  );
}

interface LookProps {
  readonly path: string;
  readonly look: Look;
}

function ChangingLook({ path, look }: LookProps) {
  const { client, resources, toast } = useApp();
  const form = useForm({
    initial: valuesOf(look),
    check: faultsIn,
    async send(values, changed) {
      const changes = Object.fromEntries(Object.entries(bodyOf(values)).filter(([name]) => name in changed));
      const { data } = await client.send<Reply<'changeConnectUi'>>('PATCH', path, changes);
      resources.invalidate(path);
      form.reset(valuesOf(data));
      toast(t('saved'));
    },
  });
  return (
    <div class="beside">
      <div class="stack">
        <BrandLogo path={path} url={look.brand_logo_url} />
        <Card title={t('look')}>
          <LookForm form={form} letIn={look.frame_ancestors} />
        </Card>
      </div>
      <WindowPreview brand={brandOf(bodyOf(form.values), look)} />
    </div>
  );
}

function LookForm({ form, letIn }: { readonly form: FormState<Values>; readonly letIn: Look['frame_ancestors'] }) {
  return (
    <Form form={form} labels={{ brand_color: t('brand_color'), brand_radius: t('brand_radius') }}>
      <TextField form={form} name="brand_name" label={t('brand_name')} help={t('brand_name_help')} isOptional />
      <BrandColorField form={form} />
      <TextField form={form} name="brand_radius" label={t('brand_radius')} help={t('brand_radius_help')} isOptional />
      <SelectField
        form={form}
        name="brand_theme"
        label={t('brand_theme')}
        choices={THEMES.map((value) => ({ value, label: t(`theme_${value}`) }))}
      />
      <SelectField
        form={form}
        name="brand_language"
        label={t('brand_language')}
        help={t('brand_language_help')}
        choices={[{ value: '', label: t('language_browser') }, ...LANGUAGES]}
      />
      <TextField
        form={form}
        name="allowed_origins"
        label={t('allowed_origins')}
        help={t('allowed_origins_help', { sources: letIn.join(' ') })}
        rows={3}
        isCode
        isOptional
      />
      <TextField
        form={form}
        name="return_urls"
        label={t('return_urls')}
        help={t('return_urls_help')}
        rows={3}
        isCode
        isOptional
      />
      <div class="actions">
        <button type="submit" class="btn primary" disabled={form.isSending || !form.isChanged}>
          {t('save')}
        </button>
      </div>
    </Form>
  );
}

/** The look of the connect pages, for members who may not change it. */
function StoredLook({ look }: LookProps) {
  return (
    <div class="beside">
      <Card title={t('look')}>
        <KeyValues
          rows={{
            [t('brand_name')]: look.brand_name ?? '–',
            [t('brand_color')]: look.brand_color ?? '–',
            [t('brand_radius')]: look.brand_radius ?? '–',
            [t('brand_theme')]: t(`theme_${look.brand_theme}`),
            [t('brand_language')]: look.brand_language === null ? t('language_browser') : NAMES.of(look.brand_language),
            [t('allowed_origins')]: look.allowed_origins.join(', ') || t('any_let_in'),
            [t('frame_ancestors')]: look.frame_ancestors.join(' '),
            [t('return_urls')]: look.return_urls.join(', ') || '–',
          }}
        />
      </Card>
      <WindowPreview brand={brandOf(look, look)} />
    </div>
  );
}

function valuesOf(look: Look) {
  return {
    brand_name: look.brand_name ?? '',
    brand_color: look.brand_color ?? '',
    brand_radius: look.brand_radius?.toString() ?? '',
    brand_theme: look.brand_theme as string,
    brand_language: look.brand_language ?? '',
    allowed_origins: look.allowed_origins.join('\n'),
    return_urls: look.return_urls.join('\n'),
  };
}

function faultsIn({ brand_color: color, brand_radius: radius }: Values): { brand_color?: string; brand_radius?: string } {
  return {
    ...(color.trim() !== '' && readabilityOf(color.trim()) === undefined && { brand_color: t('brand_color_wrong') }),
    ...(radius.trim() !== '' && radiusOf(radius) === null && { brand_radius: t('brand_radius_wrong') }),
  };
}

function bodyOf(values: Values) {
  return {
    brand_name: values.brand_name.trim() || null,
    brand_color: values.brand_color.trim() || null,
    brand_radius: radiusOf(values.brand_radius),
    brand_theme: THEMES.find((theme) => theme === values.brand_theme) ?? 'system',
    brand_language: LANGUAGE_TAGS.find((tag) => tag === values.brand_language) ?? null,
    allowed_origins: linesOf(values.allowed_origins),
    return_urls: linesOf(values.return_urls),
  };
}

function radiusOf(text: string): number | null {
  return /^\d{1,2}$/.test(text.trim()) && Number(text) <= MAX_RADIUS ? Number(text) : null;
}

function linesOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((line) => line !== '');
}

function brandOf(
  look: Pick<Look, 'brand_name' | 'brand_color' | 'brand_radius' | 'brand_theme' | 'brand_language'>,
  stored: Look,
): Brand {
  return {
    name: look.brand_name,
    logo_url: stored.brand_logo_url,
    color: look.brand_color,
    radius: look.brand_radius,
    theme: look.brand_theme,
    language: look.brand_language,
  };
}
