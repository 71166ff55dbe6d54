import { useState } from 'preact/hooks';
import { useApp, useMay } from '../../app/context.ts';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { JsonEditor } from '../../components/json-editor.tsx';
import { readJsonObject } from '../../components/json-object.ts';
import { useAction } from '../../components/use-action.ts';
import { changedPath, connectionsPath, type Found } from './shown-connection.ts';
import { t } from './texts.ts';

export function ConfigurationTab(found: Found) {
  const mayChange = useMay('developer');
  const { connection } = found;
  return (
    <div class="stack narrow">
      <Card title={t('config')}>
        <p class="small soft">{t('config_hint')}</p>
        <Shown value={connection.connection_config} />
      </Card>
      <Card title={t('metadata')}>{mayChange ? <Metadata {...found} /> : <Shown value={connection.metadata} />}</Card>
    </div>
  );
}

function Shown({ value }: { readonly value: object }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse
    <pre class="code" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}

function Metadata({ address, connection }: Found) {
  const { client, resources, toast } = useApp();
  const before = JSON.stringify(connection.metadata, null, 2);
  const [text, setText] = useState(before);
  const read = readJsonObject(text);
  const { run, isRunning, error } = useAction(async () => {
    if (!('value' in read)) return;
    const path = `${connectionsPath(address.environment)}/metadata`;
    const named = { connection_id: address.id, provider_config_key: address.integration };
    await client.send('POST', path, { ...named, metadata: read.value });
    setText(JSON.stringify(read.value, null, 2));
    resources.invalidate(changedPath(address.environment));
    toast(t('saved'));
  });
  return (
    <div class="stack">
      {error && <Failure error={error} />}
      <JsonEditor label={t('metadata')} help={t('metadata_hint')} text={text} onChange={setText} />
      <div class="actions">
        <button
          type="button"
          class="btn"
          disabled={isRunning || text === before || !('value' in read)}
          onClick={() => void run()}
        >
          {t('save_metadata')}
        </button>
      </div>
    </div>
  );
}
