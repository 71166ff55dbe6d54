import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PICTURES, type WantedPicture } from '../../../kit/picture.ts';
import type { Brand } from '../../../kit/wire.ts';
import { Card } from '../../components/card.tsx';
import { t } from './texts.ts';

/** A preview of the connect window with a brand that need not be saved yet. */
export function WindowPreview({ brand }: { readonly brand: Brand }) {
  const [screen, setScreen] = useState<WantedPicture['screen']>('start');
  const [readyCount, setReadyCount] = useState(0);
  const frame = useRef<HTMLIFrameElement>(null);
  useLayoutEffect(() => {
    const receive = ({ source, origin, data }: MessageEvent<{ svc?: unknown; type?: unknown } | null>) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin || data?.svc !== 1) return;
      if (data.type === 'ready') setReadyCount((count) => count + 1);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, []);
  const wanted = JSON.stringify({ svc: 1, type: 'picture', screen, brand } satisfies WantedPicture);
  useEffect(() => {
    if (readyCount > 0) frame.current?.contentWindow?.postMessage(JSON.parse(wanted), location.origin);
  }, [readyCount, wanted]);
  const choice = (
    <select
      class="input auto"
      aria-label={t('preview_screen')}
      value={screen}
      onChange={(event) => setScreen(event.currentTarget.value as WantedPicture['screen'])}
    >
      {PICTURES.map((name) => (
        <option key={name} value={name}>
          {t(`preview_${name}`)}
        </option>
      ))}
    </select>
  );
  return (
    <Card title={t('preview')} aside={choice} isFlush>
      <iframe ref={frame} class="preview" src="connect/preview" title={t('preview_of_window')} tabIndex={-1} />
    </Card>
  );
}
