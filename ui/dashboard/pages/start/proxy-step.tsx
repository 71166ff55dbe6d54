import { useState } from 'preact/hooks';
import { useApp, useEnvironmentPath, useMayHoldSecrets } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { Failure } from '../../components/failure.tsx';
import { ResponseBody } from '../../components/response-body.tsx';
import { durationText } from '../../components/times.ts';
import { useAction } from '../../components/use-action.ts';
import { type Onboarding, pathFor, type StepState } from './onboarding.ts';
import { Snippet } from './snippet.tsx';
import { buttonClass, Step } from './step.tsx';
import { t } from './texts.ts';

export function ProxyStep(found: StepState) {
  const { connection, has_proxied: isDone, isNext } = found;
  return (
    <Step title={t('proxy')} hint={t('proxy_hint')} isDone={isDone}>
      {connection === null ? <p class="soft">{t('needs_connection')}</p> : <Snippet name="proxy" {...found} />}
      {useMayHoldSecrets() && connection && <TryIt connection={connection} isNext={isNext} />}
    </Step>
  );
}

type Answer = Reply<'tryProxy'>['data'];

interface TryItProps {
  readonly connection: NonNullable<Onboarding['connection']>;
  readonly isNext: boolean;
}

function TryIt({ connection, isNext }: TryItProps) {
  const { client, resources } = useApp();
  const path = useEnvironmentPath();
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
        <button type="button" class={buttonClass(isNext)} disabled={isRunning} onClick={() => void run()}>
          {t('run_here')}
        </button>
        <span role="status">{answer && t('ran', { status: String(answer.status), time: durationText(answer.duration_ms) })}</span>
      </div>
      {answer && <ResponseBody {...answer} />}
    </>
  );
}
