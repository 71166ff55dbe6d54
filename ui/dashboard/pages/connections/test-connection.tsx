import { useState } from 'preact/hooks';
import { BlockedTab } from '../../components/blocked-tab.tsx';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { JsonEditor } from '../../components/json-editor.tsx';
import { readJsonObject } from '../../components/json-object.ts';
import { TagEditor } from '../../components/tag-editor.tsx';
import { draftOf, tagsIn } from '../../components/tags.ts';
import type { Action } from '../../components/use-action.ts';
import { useConnectTab } from '../../components/use-connect-session.ts';
import { MadeLink, useConnectLink, useTestTags } from './connect-link.tsx';
import { NewConnection, useNewConnection } from './new-connection.tsx';
import { t } from './texts.ts';

const DEFAULTS_ROWS = 4;

/** A form for a test: the member connects as an end user would, here or wherever the connect link is opened. */
export function TestConnection({ integration }: { readonly integration: string }) {
  const testTags = useTestTags();
  const [draft, setDraft] = useState(draftOf(testTags));
  const tags = tagsIn(draft);
  const [config, setConfig] = useState('');
  const defaults = readJsonObject(config.trim() || '{}');
  const isFaulty = 'fault' in defaults || tags === undefined;
  const hasDefaults = 'value' in defaults && Object.keys(defaults.value).length > 0;
  const wanted = { integration, tags: tags ?? {}, ...(hasDefaults && { defaults: defaults.value }) };
  const tab = useConnectTab(wanted);
  const link = useConnectLink(wanted);
  const { connection, look } = useNewConnection(wanted);
  const connect = (way: Action) => {
    void look();
    void way.run();
  };
  return (
    <Card title={t('new')}>
      <div class="stack">
        <fieldset class="stack tight">
          <legend class="label">{t('tags')}</legend>
          <p class="soft">{t('tags_hint')}</p>
          <TagEditor draft={draft} onChange={setDraft} />
        </fieldset>
        <JsonEditor
          label={t('connection_config')}
          help={t('defaults_help')}
          text={config}
          rows={DEFAULTS_ROWS}
          isOptional
          onChange={setConfig}
        />
        {tab.error && <Failure error={tab.error} />}
        {tab.blocked && <BlockedTab link={tab.blocked} />}
        <div class="actions">
          <button type="button" class="btn primary" disabled={tab.isRunning || isFaulty} onClick={() => connect(tab)}>
            {t('open_window')}
          </button>
          <button type="button" class="btn" disabled={link.isRunning || isFaulty} onClick={() => connect(link)}>
            {t('copy_link')}
          </button>
        </div>
        <NewConnection connection={connection} />
        <MadeLink {...link} />
      </div>
    </Card>
  );
}
