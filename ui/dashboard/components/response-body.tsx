import { parseJson } from '../../../core/kit/exact-json.ts';
import { t } from '../app/texts/en.ts';

interface ResponseBodyProps {
  readonly body: string;
  readonly truncated: boolean;
}

/** The body of a provider's response, as text. */
export function ResponseBody({ body, truncated }: ResponseBodyProps) {
  if (body === '') return <p class="soft">{t('no_body')}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
      <pre class="code" tabIndex={0}>
        {indented(body)}
      </pre>
      {truncated && <p class="small soft">{t('body_cut')}</p>}
    </>
  );
}

/**
 * Indents JSON, which is hard to read on one line. A text with long numbers is left unchanged, since parsing would change them.
 */
function indented(text: string): string {
  if (/\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}
