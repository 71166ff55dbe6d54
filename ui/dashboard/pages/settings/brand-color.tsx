import { readabilityOf } from '../../../kit/brand.ts';
import { Field } from '../../components/field.tsx';
import type { FormState } from '../../components/use-form.ts';
import { t } from './texts.ts';

/** The colour of the window when none is set: `--accent` of `tokens.css`. */
const NONE = '#3350d4';

/** A field for a typed or picked colour, which says how readable text on it is. */
export function BrandColorField({ form }: { readonly form: FormState<{ brand_color: string }> }) {
  const color = form.values.brand_color;
  const readability = readabilityOf(color);
  const set = (event: { currentTarget: { value: string } }) => form.set('brand_color', event.currentTarget.value);
  return (
    <Field label={t('brand_color')} fault={form.faults.brand_color} help={<Contrast color={color} />} isOptional>
      {(attributes) => (
        <div class="beside-color">
          <input
            {...attributes}
            class="input mono"
            name="brand_color"
            placeholder="#0a7d4f"
            autocomplete="off"
            spellcheck={false}
            readOnly={form.isSending}
            value={color}
            onInput={set}
          />
          <input
            type="color"
            class="input"
            aria-label={t('pick_color')}
            value={readability === undefined ? NONE : color}
            onInput={set}
          />
        </div>
      )}
    </Field>
  );
}

function Contrast({ color }: { readonly color: string }) {
  const readability = readabilityOf(color);
  if (readability === undefined) return <p>{t('brand_color_help')}</p>;
  const ratio = readability.onButton.toFixed(1);
  return <p>{t(readability.isTextKept ? 'contrast' : 'contrast_darkened', { ratio })}</p>;
}
