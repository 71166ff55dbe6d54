import { useState } from 'preact/hooks';
import { Failure } from '../../components/failure.tsx';
import { useApp, useMay } from '../../context.ts';
import { durationText } from '../../core/times.ts';
import { useAction } from '../../hooks/use-action.ts';
import type { Reply } from '../../wire.ts';
import { type Onboarding, pathFor, useApiPath } from './onboarding.ts';
import { Snippet } from './snippet.tsx';
import { Step } from './step.tsx';
import { t } from './texts.ts';

export function ProxyStep(found: Onboarding) {
  const { connection, has_proxied: isDone } = found;
  return (
    <Step title={t('proxy')} hint={t('proxy_hint')} isDone={isDone}>
      {connection && <Snippet name="proxy" {...found} />}
      {useMay('developer') && connection && <TryIt connection={connection} />}
    </Step>
  );
}

type Answer = Reply<'tryProxy'>['data'];

function TryIt({ connection }: { readonly connection: NonNullable<Onboarding['connection']> }) {
  const { client, resources } = useApp();
  const path = useApiPath();
  const [answer, setAnswer] = useState<Answer | undefined>();
  const { run, isRunning, error } = useAction(async () => {
    const { connection_id, provider_config_key } = connection;
    const call = { connection_id, provider_config_key, method: 'GET', path: pathFor(connection) };
    setAnswer((await client.send<Reply<'tryProxy'>>('POST', `${path}/proxy-try`, call)).data);
    resources.invalidate(`${path}/onboarding`);
  });
  return (
    <>
      {error && <Failure error={error} />}
      <div class="line-up">
        <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
          {t('run_here')}
        </button>
        <span role="status">{answer && t('ran', { status: String(answer.status), time: durationText(answer.duration_ms) })}</span>
      </div>
    </>
  );
}
